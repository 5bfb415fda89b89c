/** Whose invoices these are: a folder may hold those of suppliers too. */
import type { Facts } from "./Facts.ts"

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** A VAT number is the same with and without its country: ESB23103039, B23103039. */
const COUNTRY = /^[A-Z]{2}(?=[A-Z]?\d{6})/

const bare = (folded: string): string => folded.replace(COUNTRY, "")

const isSame = (named: string, stated: string | undefined): boolean => {
  if (stated === undefined) return false
  const [one, other] = [fold(named), fold(stated)]
  return one === other || bare(one) === other || one === bare(other)
}

export const isOf = ({ seller }: Pick<Facts, "seller">, names: ReadonlyArray<string>): boolean =>
  names.some((name) => isSame(name, seller.vat) || isSame(name, seller.name) || isSame(name, seller.regnum))

/** The share of the files that one seller must have issued to be taken for the books' own. */
const NEARLY_ALL = 0.9

interface Issuer {
  /** As `isOf` knows it. */
  readonly key: string
  readonly name: string
  readonly vat: string | undefined
  files: number
}

export class Sellers {
  readonly #counts = new Map<string, Issuer>()
  #files = 0

  add({ seller: { name, vat } }: Pick<Facts, "seller">): void {
    const key = bare(fold(vat ?? name))
    const known = this.#counts.get(key) ?? { key, name, vat, files: 0 }
    known.files++
    this.#files++
    this.#counts.set(key, known)
  }

  /** Who issued most of them comes first. */
  get all(): ReadonlyArray<Issuer> {
    return [...this.#counts.values()].toSorted((a, b) => b.files - a.files)
  }

  /** The seller of nearly all files; or the names of those who share them. */
  get chosen(): Issuer | { readonly shared: ReadonlyArray<string> } | undefined {
    const { all } = this
    const [first] = all
    if (first === undefined || first.files >= NEARLY_ALL * this.#files) return first
    return {
      shared: all.slice(0, 5).map(({ files, name, vat }) => `${name}${vat === undefined ? "" : ` (${vat})`}: ${files}`)
    }
  }
}
