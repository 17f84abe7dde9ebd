import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import {
  createProviderApiKeyAuthMethod,
  type ProviderCatalogContext,
  type ProviderModel,
} from "openclaw/plugin-sdk/provider-auth";

const PROVIDER_ID = "__ID__";
const ENV_VAR = "__ENV__";

// Replace these with the provider's own address and models.
const DEFAULT_BASE_URL = "https://api.example.com/v1";
const MODELS: ProviderModel[] = [
  {
    id: "example-chat",
    name: "Example Chat",
    reasoning: false,
    input: ["text"],
    contextWindow: 128_000,
    maxTokens: 8_192,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  },
];

/** The base URL the user configured for this provider, however its id is written there. */
function configuredBaseUrl({ config }: ProviderCatalogContext): string | undefined {
  const providers = config.models?.providers ?? {};
  const key = Object.keys(providers).find((name) => name.trim().toLowerCase() === PROVIDER_ID);
  const baseUrl = key === undefined ? undefined : providers[key]?.baseUrl?.trim();
  return baseUrl === "" ? undefined : baseUrl;
}

export default definePluginEntry({
  id: PROVIDER_ID,
  name: "__NAME__",
  description: "Models of __NAME__ for OpenClaw.",
  register(api) {
    api.registerProvider({
      id: PROVIDER_ID,
      label: "__NAME__",
      docsPath: `/providers/${PROVIDER_ID}`,
      envVars: [ENV_VAR],
      auth: [
        createProviderApiKeyAuthMethod({
          providerId: PROVIDER_ID,
          methodId: "api-key",
          label: "__NAME__ API key",
          hint: "API key from the provider's console",
          optionKey: "__OPTION__",
          flagName: "--__ID__-api-key",
          envVar: ENV_VAR,
          promptMessage: "Enter the API key",
          defaultModel: `${PROVIDER_ID}/example-chat`,
        }),
      ],
      catalog: {
        order: "simple",
        run: async (context: ProviderCatalogContext) => {
          const { apiKey } = context.resolveProviderApiKey(PROVIDER_ID);
          if (!apiKey) return null;
          return {
            provider: {
              baseUrl: configuredBaseUrl(context) ?? DEFAULT_BASE_URL,
              api: "openai-completions",
              apiKey,
              models: MODELS,
            },
          };
        },
      },
    });
  },
});
