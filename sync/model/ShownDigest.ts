/** Names what a person is shown, so that they decide about just that. */
import { hash } from "node:crypto"

/** Never begins with a hyphen: a command line would take it for an option. */
export const shownDigest = (algorithm: "sha1" | "sha256", text: string): string =>
  hash(algorithm, text, "base64url").replace(/^-/, "_")
