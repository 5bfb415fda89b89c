/**
 * FatturaPA 1.2 (FPA, FPR) and the simplified FSM 1.0, by the Agenzia delle Entrate's schema (Schema_VFPR12): one header and
 * several bodies. Members as in its official examples, which github.com/ZUGFeRD/corpus carries.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Party } from "../Document.ts"
import { Refused } from "../Refused.ts"
import {
  amount,
  day,
  type Facts,
  metadataOf,
  type Nothing,
  notRead,
  party,
  present,
  type Type,
  within
} from "./Facts.ts"
import { allTexts, firstText, type Node } from "./Tree.ts"
import { addressAt, all, at } from "../XmlNodes.ts"

const TYPES: Readonly<Record<string, Type>> = {
  TD01: "invoice",
  TD02: "invoice",
  TD03: "invoice",
  TD05: "invoice",
  TD06: "invoice",
  TD07: "invoice",
  TD09: "invoice",
  TD24: "invoice",
  TD25: "invoice",
  TD26: "invoice",
  TD04: "credit note",
  TD08: "credit note"
}

/** The buyer's own integrations of purchases, self-consumption, reports of irregular purchases. */
const PURCHASES = /^TD(?:1[6-9]|2[0-3]|27|28|29)$/

/** Those of simplified invoices; others have none of them. */
const SIMPLIFIED = /^TD0[7-9]$/

const typeOf = (code: string, isSimplified: boolean): Type => {
  const type = TYPES[code]
  if (type === undefined) throw notRead(code, "TipoDocumento")
  if (SIMPLIFIED.test(code) === isSimplified) return type
  const whose = isSimplified ? "ordinary" : "simplified"
  throw new Refused(
    `type ${code} is one of ${whose} invoices, and this is none: get the file from the program again`,
    "TipoDocumento"
  )
}

const METHODS: Readonly<Record<string, "cash" | "card" | "bank">> = {
  MP01: "cash",
  MP05: "bank",
  MP08: "card",
  MP12: "bank",
  MP19: "bank",
  MP20: "bank",
  MP21: "bank"
}

const partyOf = (node: Node | undefined, field: string): Party => {
  const data = at(node, "DatiAnagrafici") ?? at(node, "IdentificativiFiscali") ?? node
  const name = at(data, "Anagrafica") ?? at(node, "AltriDatiIdentificativi") ?? node
  const person = [firstText(name, "Nome"), firstText(name, "Cognome")].filter((text) => text !== undefined).join(" ")
  const vat = at(data, "IdFiscaleIVA") ?? at(node, "IdFiscaleIVA")
  const code = firstText(vat, "IdCodice")
  const seat = at(node, "Sede") ?? at(name, "Sede")
  return party(
    {
      name: firstText(name, "Denominazione") ?? (person === "" ? undefined : person),
      country: firstText(seat, "Nazione")?.toUpperCase(),
      address: addressAt(seat, ["Indirizzo", "NumeroCivico"], ["CAP", "Comune"]),
      vat: code === undefined ? undefined : `${firstText(vat, "IdPaese") ?? ""}${code}`,
      regnum: firstText(data, "CodiceFiscale")
    },
    field
  )
}

const amountOf = (text: string, field: string) => amount(text.trim(), field)

const sumOf = (nodes: ReadonlyArray<Node>, name: string): Decimal.Decimal =>
  Decimal.sum(nodes.flatMap((one) => all(one, name).map(({ text }) => amountOf(text, name))))

const CENT = Decimal.of("0.01")

/** A rate's tax is its amount times the rate, to a cent: the exchange system rejects others (its error 00421). */
const checkRate = (rate: Node): void => {
  const of = (name: string) => amountOf(present(firstText(rate, name), name), name)
  const [percent, net, tax] = [of("AliquotaIVA"), of("ImponibileImporto"), of("Imposta")]
  if (Decimal.abs(Decimal.multiply(net, percent, 8) / 100n - tax) > CENT)
    throw new Refused(
      `its tax ${Decimal.format(tax, 2)} is not ${Decimal.format(percent)} % of ${Decimal.format(net, 2)}`,
      "Imposta"
    )
}

/** The total with VAT: the stated one if it is the summary's, with rounding and stamp duty; the summary's if none is stated. */
const grossOf = (
  general: Node,
  body: Node,
  summary: ReadonlyArray<Node>,
  withheld: Decimal.Decimal
): Decimal.Decimal => {
  const simplified = all(body, "DatiBeniServizi/Importo")
  if (simplified.length > 0) return Decimal.sum(simplified.map(({ text }) => amountOf(text, "Importo")))
  for (const rate of summary) checkRate(rate)
  const sum = sumOf(summary, "ImponibileImporto") + sumOf(summary, "Imposta")
  const text = firstText(general, "ImportoTotaleDocumento")
  if (text === undefined) return sum
  const stated = amount(text, "ImportoTotaleDocumento")
  const rounding = sumOf([general], "Arrotondamento") + sumOf(summary, "Arrotondamento")
  const stamp = Decimal.of("2")
  if ([sum, sum + rounding, sum + stamp, sum + rounding + stamp].includes(stated)) return stated
  // Some programs state it less the tax that is withheld.
  if (withheld !== 0n && stated === sum - withheld) return sum
  throw new Refused(
    `its total ${Decimal.format(stated, 2)} is not that of its VAT summary, ${Decimal.format(sum, 2)}`,
    "ImportoTotaleDocumento"
  )
}

interface Beside {
  readonly type: Type
  readonly withheld: Decimal.Decimal
  readonly keep: boolean
  /** What is left to pay without what is withheld, and what the payment details ask for. */
  readonly left: Decimal.Decimal
  readonly asked: Decimal.Decimal
}

const beside = ({ asked, keep, left, type, withheld }: Beside): ReadonlyArray<string> => [
  ...(withheld === 0n || keep
    ? []
    : ["tax that the buyer withholds for the seller is not asked for (withheld: deduct)"]),
  ...(type !== "invoice" || asked <= 0n || asked === left || asked === left + withheld
    ? []
    : asked < left
      ? ["an invoice whose payment details come to less than its total: what else was paid is not known"]
      : ["an invoice whose payment details come to more than its total, which is what it asks for"])
]

const body = (node: Node, header: Node, keep: boolean, isSimplified: boolean): Facts | Nothing => {
  const general = at(node, "DatiGenerali/DatiGeneraliDocumento")
  if (general === undefined) throw new Refused("it has no DatiGeneraliDocumento")
  const code = present(firstText(general, "TipoDocumento"), "type (TipoDocumento)")
  if (PURCHASES.test(code)) return { nothing: `documents of type ${code} are the buyer's own: purchases` }
  const type = typeOf(code, isSimplified)
  const summary = all(node, "DatiBeniServizi/DatiRiepilogo")
  const withheld = sumOf(all(general, "DatiRitenuta"), "ImportoRitenuta")
  const total = grossOf(general, node, summary, withheld)
  // The buyer pays the VAT of split payment to the state (EsigibilitaIVA S).
  const split = summary.filter((one) => firstText(one, "EsigibilitaIVA") === "S")
  const left = total - sumOf(split, "Imposta") - withheld
  const gross = keep ? left + withheld : left
  const details = all(node, "DatiPagamento/DettaglioPagamento")
  const rows = details.flatMap((one) => {
    const [text, date] = [firstText(one, "ImportoPagamento"), dueOf(one)]
    return text === undefined || date === undefined ? [] : [{ amount: amount(text, "ImportoPagamento"), date }]
  })
  const asked = sumOf(details, "ImportoPagamento")
  const issued = day(present(firstText(general, "Data"), "date (Data)"), "Data")
  const number = present(firstText(general, "Numero"), "number (Numero)")
  const method = METHODS[firstText(details[0], "ModalitaPagamento") ?? ""]
  const net = sumOf(summary, "ImponibileImporto")
  const named = [
    ...all(node, "DatiGenerali/DatiFattureCollegate"),
    // Of the simplified invoice.
    ...all(node, "DatiGenerali/DatiFatturaRettificata")
  ]
  return {
    number,
    id: `${number}/${issued.slice(0, 4)}`,
    issued,
    type,
    currency: firstText(general, "Divisa") ?? "EUR",
    ...(summary.length === 0 || net > gross ? {} : { net }),
    gross,
    prepaid: Decimal.zero,
    due: details.flatMap((one) => dueOf(one) ?? []),
    ...(rows.length > 1 && rows.length === details.length ? { schedule: rows } : {}),
    seller: partyOf(at(header, "CedentePrestatore"), "CedentePrestatore"),
    buyer: partyOf(at(header, "CessionarioCommittente"), "CessionarioCommittente"),
    preceding: named.flatMap((one) => {
      const [id, date] = [firstText(one, "IdDocumento", "NumeroFR"), firstText(one, "Data", "DataFR")]
      return id === undefined ? [] : [`${id}/${(date ?? issued).slice(0, 4)}`]
    }),
    ...(method === undefined ? {} : { method }),
    metadata: metadataOf(allTexts(node, "DatiPagamento/DettaglioPagamento/CodicePagamento")),
    notices: [
      ...(type === "credit note" && named.some((one) => firstText(one, "Data", "DataFR") === undefined)
        ? ["a credit note that names its invoice without a date: the invoice of that number of its own year is taken"]
        : []),
      ...beside({ type, withheld, keep, left, asked })
    ]
  }
}

const dueOf = (detail: Node): Day.Day | undefined => {
  const date = firstText(detail, "DataScadenzaPagamento")
  if (date !== undefined) return day(date, "DataScadenzaPagamento")
  const [from, days] = [
    firstText(detail, "DataRiferimentoTerminiPagamento"),
    firstText(detail, "GiorniTerminiPagamento")
  ]
  return from === undefined || days === undefined || !/^\d{1,3}$/.test(days)
    ? undefined
    : Day.addDays(day(from, "DataRiferimentoTerminiPagamento"), Number(days))
}

export const fatturaPa = (root: Node, keep: boolean): ReadonlyArray<Facts | Nothing> => {
  const header = at(root, "FatturaElettronicaHeader")
  if (header === undefined) throw new Refused("it has no FatturaElettronicaHeader")
  const isSimplified = root.name === "FatturaElettronicaSemplificata"
  return all(root, "FatturaElettronicaBody").map((one) => within(one, () => body(one, header, keep, isSimplified)))
}
