/**
 * Encrypts secrets at rest: AES-256-GCM, with a fresh nonce for each, bound to the state file and to the name that the
 * secret is stored under. A secret that was moved to another connection, or a vault that was put beside another state file,
 * cannot be decrypted. Older secrets (`v1`) are bound to the name alone. The key is 32 bytes, in base64 or hex, in the
 * environment or in a file that others may not read; it is never stored beside what it encrypts.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { Redacted } from "effect"

export type SealKey = Redacted.Redacted<Buffer>

/** The key is invalid, or does not decrypt the box; says what to do. */
export class SealProblem extends Error {}

const HOW = "make one with: head -c 32 /dev/urandom | base64"

/** Throws `SealProblem` unless it is 32 bytes. */
export const key = (text: string, where: string): SealKey => {
  const trimmed = text.trim()
  const bytes = /^[0-9a-fA-F]{64}$/.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64")
  if (bytes.length !== 32) throw new SealProblem(`${where} does not hold 32 bytes in base64 or hex; ${HOW}`)
  return Redacted.make(bytes, { label: "key of the vault" })
}

type Environment = Readonly<Record<string, string | undefined>>

/** The key in the environment, or in the file that the environment names; undefined if there is none. */
export const fromEnvironment = (environment: Environment): SealKey | undefined => {
  const { DAYBOOK_SEAL: text, DAYBOOK_SEAL_FILE: file } = environment
  if (text !== undefined && text !== "") return key(text, "DAYBOOK_SEAL")
  if (file === undefined || file === "") return undefined
  let held: string
  try {
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      throw new SealProblem(`other users can read the key file ${file}; run: chmod 600 ${file}`)
    }
    held = readFileSync(file, "utf8")
  } catch (cause) {
    if (cause instanceof SealProblem) throw cause
    throw new SealProblem(`the key file ${file} of DAYBOOK_SEAL_FILE cannot be read; check its path and permissions`)
  }
  return key(held, file)
}

/** The previous key, while some boxes may still be encrypted with it: each is re-encrypted when it next changes. */
export const olderFromEnvironment = ({ DAYBOOK_SEAL_OLD: text }: Environment): SealKey | undefined =>
  text === undefined || text === "" ? undefined : key(text, "DAYBOOK_SEAL_OLD")

/** What a box is bound to. */
export interface Bond {
  readonly name: string
  /** The state file's identity, see `identityOf` in Vault.ts; without it, the box is bound to the name alone. */
  readonly home?: string | undefined
}

const bound = ({ home, name }: Bond): Buffer => Buffer.from(home === undefined ? name : JSON.stringify([home, name]))

/** The state file that a box is bound to; undefined if none. */
export const homeOf = (box: string): string | undefined => (box.startsWith("v2.") ? box.split(".")[1] : undefined)

export const seal = (key: SealKey, bond: Bond, text: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", Redacted.value(key), nonce)
  cipher.setAAD(bound(bond))
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  const parts = [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))
  return (bond.home === undefined ? ["v1", ...parts] : ["v2", bond.home, ...parts]).join(".")
}

/** Throws `SealProblem` unless the box was encrypted with this key for this state file and this name. */
export const open = (key: SealKey, { home, name }: Bond, box: string): string => {
  const its = homeOf(box)
  if (its !== undefined && its !== home) {
    throw new SealProblem(
      `the secrets of ${name} were sealed for another state file; put the vault beside the state file that it belongs to, or authorise the connection again with daybook connect`
    )
  }
  try {
    const [version, ...parts] = box.split(".")
    const [nonce = "", tag = "", sealed = ""] = its === undefined ? parts : parts.slice(1)
    if (version !== "v1" && version !== "v2") throw new Error("another version")
    const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key), Buffer.from(nonce, "base64url"), {
      authTagLength: 16
    })
    decipher.setAAD(bound({ name, home: its }))
    decipher.setAuthTag(Buffer.from(tag, "base64url"))
    return Buffer.concat([decipher.update(Buffer.from(sealed, "base64url")), decipher.final()]).toString("utf8")
  } catch {
    throw new SealProblem(
      `the secrets of ${name} cannot be unsealed with this key; use the key they were sealed with, restore the vault from a backup, or authorise the connection again with daybook connect`
    )
  }
}
