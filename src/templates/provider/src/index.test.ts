import type { ProviderRegistration } from "openclaw/plugin-sdk/provider-auth";
import { expect, test } from "vitest";
import plugin from "./index.js";

/** The provider as a host gets it. */
function registeredProvider(): ProviderRegistration {
  let registered: ProviderRegistration | undefined;
  const api = {
    registerProvider: (provider: ProviderRegistration) => {
      registered = provider;
    },
  };
  void plugin.register(api as never);
  if (registered === undefined) throw new Error("no provider was registered");
  return registered;
}

const context = (apiKey: string | undefined, baseUrl?: string) => ({
  config: baseUrl === undefined ? {} : { models: { providers: { "__ID__": { baseUrl } } } },
  resolveProviderApiKey: () => ({ apiKey }),
});

test("registers one provider with an API key", () => {
  const provider = registeredProvider();
  expect(provider.id).toBe("__ID__");
  expect(provider.envVars).toEqual(["__ENV__"]);
  expect(provider.auth.map((method) => method.kind)).toEqual(["api_key"]);
});

test("offers no models without a key", async () => {
  expect(await registeredProvider().catalog.run(context(undefined))).toBeNull();
});

test("offers its models with a key, at the configured address", async () => {
  const result = await registeredProvider().catalog.run(context("secret", "https://models.test/v1"));
  expect(result?.provider).toMatchObject({ baseUrl: "https://models.test/v1", apiKey: "secret" });
  expect(result?.provider.models.map((model) => model.id)).toEqual(["example-chat"]);
});
