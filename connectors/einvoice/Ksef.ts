/**
 * KSeF's structured invoice FA(2) and FA(3), by the Ministry of Finance's schemas (crd.gov.pl/wzor/2023/06/29/12648 and
 * 2025/06/25/13775) and its examples in github.com/ksef4dev/ksef-fop. Lines are not read: those of a correction may state what
 * was before, too.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Party } from "../Document.ts"
import { Refused } from "../Refused.ts"
import { amount, day, type Facts, metadataOf, type Nothing, notRead, party, present } from "./Facts.ts"
import { allTexts, firstText, type Node } from "./Tree.ts"
import { addressAt, all, at } from "../XmlNodes.ts"

const partyOf = (node: Node | undefined, field: string): Party => {
  const data = at(node, "DaneIdentyfikacyjne")
  const [nip, country, vat] = [firstText(data, "NIP"), firstText(data, "KodUE"), firstText(data, "NrVatUE")]
  return party(
    {
      id: firstText(node, "NrKlienta"),
      // A simplified invoice (UPR) names its buyer by tax number alone.
      name: firstText(data, "Nazwa") ?? nip,
      country: firstText(node, "Adres/KodKraju")?.toUpperCase() ?? (nip === undefined ? undefined : "PL"),
      address: addressAt(node, ["Adres/AdresL1"], ["Adres/AdresL2"]),
      vat: nip === undefined ? (vat === undefined ? undefined : `${country ?? ""}${vat}`) : `PL${nip}`,
      regnum: nip ?? firstText(data, "NrID")
    },
    field
  )
}

/** The amounts without tax by rate (`P_13_1` …), and the tax in the invoice's currency (`P_14_1` …, not `P_14_1W`). */
const sumOf = (fa: Node, pattern: RegExp): Decimal.Decimal =>
  Decimal.sum(fa.children.filter(({ name }) => pattern.test(name)).map(({ name, text }) => amount(text.trim(), name)))

const CENT = Decimal.of("0.01")

const KINDS: ReadonlySet<string> = new Set(["VAT", "UPR", "ROZ", "KOR", "KOR_ROZ"])

interface Paid {
  readonly payments: Facts["payments"]
}

/** What the invoice says was paid before it was issued. */
const paidOf = (fa: Node, gross: Decimal.Decimal): Paid | undefined => {
  const payment = at(fa, "Platnosc")
  const parts = all(payment, "ZaplataCzesciowa").map((one) => ({
    amount: amount(
      present(firstText(one, "KwotaZaplatyCzesciowej"), "KwotaZaplatyCzesciowej"),
      "KwotaZaplatyCzesciowej"
    ),
    date: day(present(firstText(one, "DataZaplatyCzesciowej"), "DataZaplatyCzesciowej"), "DataZaplatyCzesciowej")
  }))
  if (parts.length > 0) return { payments: parts }
  const date = firstText(payment, "DataZaplaty")
  return firstText(payment, "Zaplacono") === "1" && date !== undefined && gross > 0n
    ? { payments: [{ amount: gross, date: day(date, "DataZaplaty") }] }
    : undefined
}

/** What is asked for. A final invoice (ROZ) asks for what its advances left open; a settlement states it itself. */
const owedOf = (fa: Node, kind: string, total: Decimal.Decimal): Decimal.Decimal => {
  const stated = (name: string) => amount(firstText(fa, `Rozliczenie/${name}`) ?? "0", name)
  const [more, less] = [stated("SumaObciazen"), stated("SumaOdliczen")]
  const [left, over] = ["DoZaplaty", "DoRozliczenia"].map((name) => firstText(fa, `Rozliczenie/${name}`))
  if (left !== undefined && stated("DoZaplaty") !== total + more - less)
    throw new Refused(
      `its sums contradict each other: ${Decimal.format(total, 2)} and ${Decimal.format(more, 2)} charged, less ${Decimal.format(less, 2)}, is not ${left} to pay`,
      "DoZaplaty"
    )
  if (over === undefined && (left !== undefined || more !== 0n || less !== 0n)) return total + more - less
  const advances = all(fa, "ZaliczkaCzesciowa/P_15Z").map(({ text }) => amount(text.trim(), "P_15Z"))
  return kind === "ROZ" && advances.length > 0 ? total - Decimal.sum(advances) : total
}

const sumsOf = (fa: Node, kind: string, total: Decimal.Decimal) => {
  const net = sumOf(fa, /^P_13_\d+(?:_\d)?$/)
  const tax = sumOf(fa, /^P_14_\d+$/)
  // Each rate's amounts may be rounded where there are several.
  const rates = BigInt(fa.children.filter(({ name }) => /^P_14_\d+$/.test(name)).length)
  const isEqual = net === 0n || Decimal.abs(net + tax - total) <= (rates > 1n ? CENT * rates : 0n)
  if (!isEqual && (kind === "VAT" || kind === "KOR"))
    throw new Refused(
      `its amounts without tax (${Decimal.format(net, 2)}) and its tax (${Decimal.format(tax, 2)}) are not its total ${Decimal.format(total, 2)}`,
      "P_15"
    )
  return { net, tax, isEqual }
}

export const ksef = (root: Node): Facts | Nothing => {
  const fa = at(root, "Fa")
  if (fa === undefined) throw new Refused("it has no member Fa", "Fa", "get it as FA(2) or FA(3)")
  const kind = present(firstText(fa, "RodzajFaktury"), "kind (RodzajFaktury)")
  if (kind === "ZAL")
    return { nothing: "an advance invoice (ZAL) documents money that was received, and asks for nothing" }
  if (kind === "KOR_ZAL")
    return { nothing: "a correction of an advance invoice (KOR_ZAL) documents money, and asks for nothing" }
  if (!KINDS.has(kind)) throw notRead(kind, "RodzajFaktury")
  const total = amount(present(firstText(fa, "P_15"), "total (P_15)"), "P_15")
  const isDifference = kind.startsWith("KOR")
  const gross = isDifference ? total : owedOf(fa, kind, total)
  const { isEqual, net, tax } = sumsOf(fa, kind, total)
  const number = present(firstText(fa, "P_2"), "number (P_2)")
  const due = all(fa, "Platnosc/TerminPlatnosci/Termin").map(({ text }) => day(text.trim(), "Termin"))
  const paid = isDifference ? undefined : paidOf(fa, gross)
  const before = Decimal.sum(paid?.payments?.map((one) => one.amount) ?? [])
  const factor =
    at(fa, "Platnosc/RachunekBankowyFaktora") !== undefined ||
    all(root, "Podmiot3").some((one) => firstText(one, "Rola") === "1")
  return {
    number,
    id: number,
    issued: day(present(firstText(fa, "P_1"), "date (P_1)"), "P_1"),
    type: isDifference ? "difference" : "invoice",
    currency: present(firstText(fa, "KodWaluty"), "currency (KodWaluty)"),
    ...(net + tax === gross ? { net } : {}),
    gross,
    prepaid: before,
    ...(paid?.payments === undefined ? {} : { payments: paid.payments }),
    // Where all of it was paid, nothing is due later than that.
    due: due.length > 0 || before !== gross ? due : (paid?.payments ?? []).map(({ date }) => date),
    seller: partyOf(at(root, "Podmiot1"), "Podmiot1"),
    buyer: partyOf(at(root, "Podmiot2"), "Podmiot2"),
    preceding: all(fa, "DaneFaKorygowanej/NrFaKorygowanej").map(({ text }) => text.trim()),
    metadata: metadataOf(allTexts(fa, "Platnosc/IPKSeF")),
    notices: [
      ...(factor ? ["an invoice that may have been assigned to a factor"] : []),
      ...(firstText(fa, "Platnosc/Zaplacono") === "1" && paid === undefined && gross > 0n
        ? ["an invoice that says that it was paid, and not when: it counts as open"]
        : []),
      ...(isEqual
        ? []
        : [`an invoice of kind ${kind} whose amounts without tax and tax are not its total (P_15), which it asks for`])
    ]
  }
}
