/**
 * Names the variables that hold the secrets of connections and channels. A name that ends in a digest belongs to one place
 * alone: what is typed on the page, another name in other letters, or the same name at another address gives another variable,
 * so that no secret of another purpose is ever sent there.
 */
import { createHash } from "node:crypto"
import { variables } from "../../connectors/Secrets.ts"

const upper = (words: ReadonlyArray<string>): string =>
  words
    .join("_")
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "_")

/** 82 bits: nobody finds an address that gives the variable of another one. */
const DIGEST = 16

const digestOf = (all: unknown): string =>
  BigInt(`0x${createHash("sha256").update(JSON.stringify(all)).digest("hex")}`)
    .toString(36)
    .toUpperCase()
    .slice(0, DIGEST)

/**
 * `ALERT_OFFICE_PASSWORD_1K2J…`
 *
 * @param place everything that decides where the secret is sent
 */
export const variableFor = (words: ReadonlyArray<string>, place: unknown): string =>
  `${upper(words)}_${digestOf([words, place])}`

/** Names that differ in more than case and signs. */
const PLAIN = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** `WOOCOMMERCE_KEY`, unless another name in the configuration might be meant by it. */
export const plain = ([id, ...words]: readonly [string, ...Array<string>], taken: ReadonlySet<string>): string => {
  const name = upper([id, ...words])
  return PLAIN.test(id) && !taken.has(name) ? name : variableFor([id, ...words], null)
}

/** The variables that a configuration names. */
export const namedIn = (value: unknown): ReadonlySet<string> => new Set(variables(value, 16))
