/**
 * Passwords as scrypt hashes, each with its parameters and its salt, so that later ones can be slower: `scrypt$32768$8$3$SALT$HASH`.
 * One is worked out at a time: each takes 32 MB and a tenth of a second of another thread.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"

/** As OWASP recommends for 32 MB. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32

/** The fewest characters of a password. */
export const SHORTEST_PASSWORD = 8

let last: Promise<unknown> = Promise.resolve()

const derive = (password: string, salt: Buffer, bytes: number, { N, p, r }: typeof COST): Promise<Buffer> => {
  const mine = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) =>
        scrypt(password.normalize("NFKC"), salt, bytes, { N, p, r, maxmem: 256 * N * r }, (error, key) =>
          error === null ? resolve(key) : reject(error)
        )
      )
  )
  last = mine.catch(() => undefined)
  return mine
}

export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const key = await derive(password, salt, BYTES, COST)
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$")
}

/** Nobody's: whoever names somebody unknown waits as long. */
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${randomBytes(16).toString("base64url")}$${randomBytes(BYTES).toString("base64url")}`

/** Whether this is the password of a hash; never, if there is none. */
export const isPasswordOf = async (password: string, stored: string = NOBODY): Promise<boolean> => {
  const found = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{16,})\$([\w-]{22,})$/.exec(stored)
  if (found === null) return false
  const [N = 0, r = 0, p = 0] = found.slice(1, 4).map(Number)
  const key = Buffer.from(found[5] ?? "", "base64url")
  const given = await derive(password, Buffer.from(found[4] ?? "", "base64url"), key.length, { N, r, p }).catch(
    () => undefined
  )
  return given !== undefined && timingSafeEqual(given, key)
}
