export { coerceSecretRef, isSecretRef, type SecretInput, type SecretRef } from "./secret-input.js";

/** One model of a provider. Costs are per million tokens. */
export interface ProviderModel {
  id: string;
  name: string;
  reasoning: boolean;
  input: ("text" | "image")[];
  contextWindow: number;
  maxTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  [extra: string]: unknown;
}

/** The part of the user's configuration a provider reads. */
export interface ProviderConfig {
  models?: { providers?: Record<string, { baseUrl?: string; [extra: string]: unknown } | undefined> };
  [extra: string]: unknown;
}

export interface ProviderCatalogContext {
  config: ProviderConfig;
  env?: Record<string, string | undefined>;
  resolveProviderApiKey(providerId: string): { apiKey?: string | undefined };
}

export interface ProviderCatalogResult {
  provider: {
    baseUrl: string;
    /** Wire protocol, for example `openai-completions`. */
    api: string;
    apiKey: string;
    models: ProviderModel[];
    [extra: string]: unknown;
  };
}

/** What a user's answers give: credentials to keep, and the model to offer first. */
export interface ProviderAuthResult {
  profiles: {
    profileId: string;
    credential: { type: "api_key"; provider: string; key: string };
  }[];
  defaultModel?: string;
}

export interface ProviderAuthContext {
  /** Values of command-line options, by option key. */
  opts?: Record<string, unknown>;
  env?: Record<string, string | undefined>;
  prompter?: {
    text(question: { message: string; validate?: (value: string) => string | undefined }): Promise<string>;
  };
}

/** One way of signing in to a provider. */
export interface ProviderAuthMethod {
  id: string;
  label: string;
  hint?: string;
  kind: "api_key";
  wizard: Record<string, unknown>;
  /** Takes the key from the options, the environment or, where there is a prompter, the user. */
  run(context: ProviderAuthContext): Promise<ProviderAuthResult>;
  /** The same without asking; `null` when no key is known. */
  runNonInteractive(context: ProviderAuthContext): Promise<ProviderAuthResult | null>;
}

export interface ProviderApiKeyAuthOptions {
  providerId: string;
  /** Name of this method among those of the provider. */
  methodId: string;
  label: string;
  hint?: string;
  /** Key of the option in parsed command lines: `acmeApiKey`. */
  optionKey: string;
  /** The option itself: `--acme-api-key`. */
  flagName: string;
  envVar: string;
  promptMessage: string;
  /** `provider/model` to offer first. */
  defaultModel?: string;
  /** Profile the key is kept under; `<provider>:default` by default. */
  profileId?: string;
  wizard?: Record<string, unknown>;
}

/** Argument of `api.registerProvider`. */
export interface ProviderRegistration {
  id: string;
  label: string;
  docsPath?: string;
  envVars?: string[];
  auth: ProviderAuthMethod[];
  catalog: {
    order?: string;
    run(context: ProviderCatalogContext): Promise<ProviderCatalogResult | null>;
  };
  [extra: string]: unknown;
}

const nonBlank = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/**
 * Signing in with an API key, from an option, an environment variable or a question.
 * @throws TypeError when a needed field is missing
 */
export function createProviderApiKeyAuthMethod(options: ProviderApiKeyAuthOptions): ProviderAuthMethod {
  for (const field of ["providerId", "methodId", "label", "optionKey", "flagName", "envVar"] as const) {
    if (nonBlank(options[field]) === undefined) {
      throw new TypeError(`createProviderApiKeyAuthMethod: ${field} must be a non-blank string`);
    }
  }
  const { providerId, envVar, optionKey, promptMessage, defaultModel } = options;
  const known = ({ opts, env }: ProviderAuthContext): string | undefined =>
    nonBlank(opts?.[optionKey]) ?? nonBlank((env ?? process.env)[envVar]);
  const result = (key: string): ProviderAuthResult => ({
    profiles: [
      {
        profileId: options.profileId ?? `${providerId}:default`,
        credential: { type: "api_key", provider: providerId, key },
      },
    ],
    ...(defaultModel === undefined ? {} : { defaultModel }),
  });
  return {
    id: options.methodId,
    label: options.label,
    ...(options.hint === undefined ? {} : { hint: options.hint }),
    kind: "api_key",
    wizard: {
      choiceId: `${providerId}-${options.methodId}`,
      choiceLabel: options.label,
      groupId: providerId,
      optionKey,
      cliFlag: options.flagName,
      envVar,
      ...options.wizard,
    },
    async run(context) {
      const asked = known(context) ?? nonBlank(await context.prompter?.text({ message: promptMessage }));
      if (asked === undefined) {
        throw new Error(`no API key for ${providerId}: set ${envVar} or give ${options.flagName}`);
      }
      return result(asked);
    },
    async runNonInteractive(context) {
      const key = known(context);
      return key === undefined ? null : result(key);
    },
  };
}
