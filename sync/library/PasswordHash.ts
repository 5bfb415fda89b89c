/**
 * Passwords as scrypt hashes, each with its parameters and its salt, so that later ones can be slower: `scrypt$32768$8$3$SALT$HASH`.
 * One is worked out at a time: each takes 32 MB and a tenth of a second of another thread. Whoever guesses from many addresses keeps
 * many of them waiting, so that those come first who have guessed least.
 */
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

/** As OWASP recommends for 32 MB. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32

/** The fewest characters of a password. */
export const SHORTEST_PASSWORD = 8

interface Derivation {
  readonly guesses: number
  readonly start: () => Promise<unknown>
}

/** Those who have guessed least first, and among them who came first. */
const waiting: Array<Derivation> = []
let isBusy = false

const lineUp = async (work: Derivation): Promise<void> => {
  const after = waiting.findIndex(({ guesses }) => guesses > work.guesses)
  waiting.splice(after < 0 ? waiting.length : after, 0, work)
  if (isBusy) return
  isBusy = true
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next.start()
  isBusy = false
}

const derived = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const derive = (
  password: string,
  salt: Buffer,
  bytes: number,
  { N, p, r }: typeof COST,
  guesses = 0
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const work = () => derived(password.normalize("NFKC"), salt, bytes, { N, p, r, maxmem: 256 * N * r })
    void lineUp({ guesses, start: () => work().then(resolve, reject) })
  })

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const key = await derive(password, salt, BYTES, COST)
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$")
}

/** Nobody's: whoever names somebody unknown waits as long. */
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${randomBytes(16).toString("base64url")}$${randomBytes(BYTES).toString("base64url")}`

/**
 * Whether this is the password of a hash; never, if there is none.
 *
 * @param guesses how many passwords its sender has tried
 */
export const isPasswordOf = async (password: string, stored: string = NOBODY, guesses = 0): Promise<boolean> => {
  const found = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{16,})\$([\w-]{22,})$/.exec(stored)
  if (found === null) return false
  const [N = 0, r = 0, p = 0] = found.slice(1, 4).map(Number)
  const key = Buffer.from(found[5] ?? "", "base64url")
  const given = await derive(
    password,
    Buffer.from(found[4] ?? "", "base64url"),
    key.length,
    { N, r, p },
    guesses
  ).catch(() => undefined)
  return given !== undefined && timingSafeEqual(given, key)
}
