/** Computes a digest of what a person is shown, so that they decide about exactly that. */
import { hash } from "node:crypto"

/** Never starts with a hyphen: a command line would read it as an option. */
export const shownDigest = (algorithm: "sha1" | "sha256", text: string): string =>
  hash(algorithm, text, "base64url").replace(/^-/, "_")
