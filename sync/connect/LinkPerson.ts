/**
 * Who may open a link that was made for one person: somebody who types the e-mail address that the platform gave, or who the
 * platform says is the person with its own id, signed with a token of its HTTP interface.
 */
import { createHmac } from "node:crypto"
import type { Link, LinkTerms } from "./Links.ts"

/** How long the platform's word counts, in seconds: it sends the person on at once. */
const LONGEST_S = 600

/** An address as it is compared. */
export const emailOf = (text: string): string => text.trim().normalize("NFC").toLowerCase()

/** What the platform says of the person that it sends to a link. */
export interface PersonProof {
  readonly person: string
  /** Seconds since the epoch. */
  readonly until: number
  readonly proof: string
}

/**
 * HMAC-SHA256 over the link's last part, the time and the person, in lines of their own.
 *
 * @param word the last part of the link's address
 */
const proofOf = (token: string, word: string, { person, until }: Pick<PersonProof, "person" | "until">): string =>
  createHmac("sha256", token).update([word, until, person].join("\n")).digest("base64url")

/** The address to which the platform sends the person who is signed in there. */
export const addressFor = (
  url: string,
  { now, person, token }: { readonly token: string; readonly person: string; readonly now: number }
): string => {
  const address = new URL(url)
  const until = Math.floor(now / 1000) + LONGEST_S / 2
  const proof = proofOf(token, address.pathname.split("/").at(-1) ?? "", { person, until })
  for (const [name, value] of Object.entries({ person, until: String(until), proof }))
    address.searchParams.set(name, value)
  return address.href
}

/** What an address or a form says of the person. */
export const saidIn = (given: URLSearchParams): PersonProof => ({
  person: given.get("person") ?? "",
  until: Number(given.get("until") ?? 0),
  proof: given.get("proof") ?? ""
})

/** @param isSame compares in constant time */
export const isPerson = (
  { person }: LinkTerms,
  said: PersonProof,
  {
    isSame,
    now,
    tokens,
    word
  }: {
    readonly word: string
    readonly tokens: ReadonlyArray<string>
    readonly now: number
    readonly isSame: (one: string, other: string) => boolean
  }
): boolean =>
  person === undefined ||
  (said.person === person &&
    said.until * 1000 > now &&
    said.until * 1000 <= now + LONGEST_S * 1000 &&
    tokens.some((token) => token !== "" && isSame(said.proof, proofOf(token, word, said))))

/** The account that the books go to, as the platform calls it. */
export const accountNameOf = ({ tenant, terms }: Pick<Link, "tenant" | "terms">): string => {
  const { organisation, user } = (terms.owner ?? {}) as {
    readonly organisation?: { readonly name?: string }
    readonly user?: { readonly name?: string }
  }
  return organisation?.name ?? user?.name ?? tenant
}
