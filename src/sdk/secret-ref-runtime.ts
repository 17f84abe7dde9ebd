export { coerceSecretRef, isSecretRef, type SecretInput, type SecretRef } from "./secret-input.js";
