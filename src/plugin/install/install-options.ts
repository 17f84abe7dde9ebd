import type { OpenClawConfig } from "../../config/config.js";
import type { StatePaths } from "../../config/paths.js";
import type { InstallRecord } from "../load/records.js";
import type { DependencyOutcome } from "./dependencies.js";
import type { ResolvedPackage } from "./registry.js";
import type { OnStep } from "./steps.js";

export interface InstallOptions {
  /** As the user typed it. */
  spec: string;
  link?: boolean;
  /** Replaces a folder that no install made, and installs despite settings that do not fit. */
  force?: boolean;
  paths: StatePaths;
  config: OpenClawConfig;
  cwd: string;
  signal?: AbortSignal;
  /** Whether a package from a registry may be fetched; asked once its exact version is known. */
  consent: (resolved: ResolvedPackage) => boolean | Promise<boolean>;
  /** Decided before any request is made: without it a registry source is refused at once. */
  canConsent?: boolean;
  /** Hears what is being done, for people who wait. */
  onProgress?: (text: string) => void;
  onStep?: OnStep;
}

export interface InstallResult {
  id: string;
  name?: string;
  version?: string;
  packageName?: string;
  source: InstallRecord["source"];
  /** Where the plugin is used from. */
  rootDir: string;
  /** What was there before under the same id. */
  replaced?: { version?: string; source?: InstallRecord["source"] };
  dependencies: DependencyOutcome;
  /** Whether the configuration lets it run. */
  enabled: boolean;
  warnings: string[];
}
