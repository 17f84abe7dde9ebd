declare const OPENCLAW_VERSION: string | undefined;

/** Version of this package; the build inlines it, development runs read package.json. */
export const version: string =
  typeof OPENCLAW_VERSION === "string" ? OPENCLAW_VERSION : (process.env.npm_package_version ?? "0.0.0-dev");
