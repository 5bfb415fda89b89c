/** The figures of an electronic invoice, found by patterns in its text: nothing of the readers is used. */

export interface Figures {
  readonly number: string
  /** Without a sign, in two decimal places. */
  readonly gross: string
  readonly day?: string | undefined
  readonly currency?: string | undefined
  readonly net?: string | undefined
  /** What is left to pay. */
  readonly payable?: string | undefined
  readonly buyer?: string | undefined
  /** Whether it asks for money, by its type code and the sign of its total. */
  readonly way?: "charge" | "credit"
}

type Text = string | undefined

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The text of the first element of that name, or what is in it. */
const within = (text: Text, name: string): Text => {
  const [, inner] =
    text === undefined ? [] : (new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(text) ?? [])
  const plain = inner
    ?.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, code?: string, name = "") =>
      hex === undefined && code === undefined
        ? (ENTITIES[name] ?? all)
        : String.fromCodePoint(Number.parseInt(hex ?? code ?? "", hex === undefined ? 10 : 16))
    )
    .trim()
  return plain === "" ? undefined : plain
}

const each = (text: Text, name: string): ReadonlyArray<string> =>
  [...(text ?? "").matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g"))].map(([, inner = ""]) =>
    inner.trim()
  )

/** In hundredths of a cent. */
const units = (text: Text): bigint => {
  const [, sign = "", whole = "", part = ""] = /^([-+]?)(\d*)(?:\.(\d*))?$/.exec(text ?? "0") ?? []
  const value = BigInt(whole + part.slice(0, 4).padEnd(4, "0") || "0")
  return sign === "-" ? -value : value
}

const sum = (texts: ReadonlyArray<string>): bigint => texts.reduce((all, one) => all + units(one), 0n)

const signed = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(5, "0")
  const fine = digits.slice(-2) === "00" ? digits.slice(-4, -2) : digits.slice(-4).replace(/0+$/, "")
  return `${value < 0n ? "-" : ""}${digits.slice(0, -4)}.${fine}`
}

const plain = (value: bigint): string => signed(value < 0n ? -value : value)

/** UNTDID 1001's credit notes, and those of Italy and Austria. */
const CREDITS =
  /^(?:381|81|83|261|262|296|308|396|420|458|502|503|532|TD04|TD08|CreditMemo|SubsequentCredit|CreditNote)$/

const wayOf = (type: Text, total: bigint): NonNullable<Figures["way"]> =>
  CREDITS.test(type ?? "") || total < 0n ? "credit" : "charge"

const dashed = (text: Text): Text => text?.replace(/^(\d{4})-?(\d{2})-?(\d{2}).*$/s, "$1-$2-$3")

/** The amount in the document's currency, where two are stated. */
const amountOf = (totals: Text, name: string, currency: Text): Text => {
  const all = [...(totals ?? "").matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>[^<]*</${name}>`, "g"))].map(([one]) => one)
  const own = all.find((one) => currency !== undefined && one.includes(`"${currency}"`)) ?? all[0]
  return within(own, name)
}

const ubl = (text: string): Figures => {
  const currency = within(text, "DocumentCurrencyCode")
  const totals = within(text, "LegalMonetaryTotal")
  const amount = (name: string) => amountOf(totals, name, currency)
  const [gross, payable, prepaid] = [amount("TaxInclusiveAmount"), amount("PayableAmount"), amount("PrepaidAmount")]
  const asked = units(payable) + units(prepaid)
  const party = within(text, "AccountingCustomerParty")
  return {
    number: within(text, "ID") ?? "",
    day: dashed(within(text, "IssueDate")),
    currency,
    gross: plain(payable === undefined ? units(gross) : asked),
    ...(units(payable) >= 0n && asked > 0n ? { payable: signed(units(payable)) } : {}),
    net: plain(units(amount("TaxExclusiveAmount"))),
    way: wayOf(/<CreditNote[\s>]/.test(text) ? "CreditNote" : within(text, "InvoiceTypeCode"), units(gross ?? payable)),
    buyer: within(within(party, "PartyLegalEntity"), "RegistrationName") ?? within(within(party, "PartyName"), "Name")
  }
}

const cii = (text: string): Figures => {
  const currency = within(text, "InvoiceCurrencyCode")
  const head = within(text, "ExchangedDocument") ?? within(text, "HeaderExchangedDocument")
  const totals =
    within(text, "SpecifiedTradeSettlementHeaderMonetarySummation") ??
    within(text, "SpecifiedTradeSettlementMonetarySummation")
  const amount = (name: string) => amountOf(totals, name, currency)
  const [gross, payable, rounding] = [amount("GrandTotalAmount"), amount("DuePayableAmount"), amount("RoundingAmount")]
  return {
    number: within(head, "ID") ?? "",
    day: dashed(within(within(head, "IssueDateTime"), "DateTimeString")),
    currency,
    gross: plain(units(gross) + units(rounding)),
    ...(payable === undefined || units(payable) < 0n ? {} : { payable: signed(units(payable)) }),
    net: plain(units(amount("TaxBasisTotalAmount"))),
    way: wayOf(within(head, "TypeCode"), units(gross)),
    buyer: within(within(text, "BuyerTradeParty"), "Name")
  }
}

const fattura = (text: string): ReadonlyArray<Figures> =>
  each(text, "FatturaElettronicaBody").map((body) => {
    const rates = each(body, "DatiRiepilogo")
    const general = within(body, "DatiGeneraliDocumento")
    const split = rates.filter((one) => within(one, "EsigibilitaIVA") === "S")
    const taxed = sum(rates.flatMap((one) => [...each(one, "ImponibileImporto"), ...each(one, "Imposta")]))
    const simple = sum(each(within(body, "DatiBeniServizi"), "Importo"))
    const stated = within(general, "ImportoTotaleDocumento")
    const withheld = sum(each(general, "ImportoRitenuta"))
    const [own, less] = [rates.length === 0 ? simple : taxed, sum(split.flatMap((one) => each(one, "Imposta")))]
    const whole = stated !== undefined && units(stated) !== own - withheld && rates.length > 0 ? units(stated) : own
    return {
      number: within(general, "Numero") ?? "",
      day: dashed(within(general, "Data")),
      currency: within(general, "Divisa"),
      way: wayOf(within(general, "TipoDocumento"), whole),
      gross: plain(whole - less - withheld)
    }
  })

const ksef = (text: string): Figures => {
  const kind = within(text, "RodzajFaktury")
  const settled = within(within(text, "Rozliczenie"), "DoZaplaty")
  const advances = sum(each(text, "P_15Z"))
  const total = units(within(text, "P_15"))
  return {
    number: within(text, "P_2") ?? "",
    day: dashed(within(text, "P_1")),
    currency: within(text, "KodWaluty"),
    way: wayOf(kind, total),
    gross: plain(
      kind?.startsWith("KOR") === true
        ? total
        : settled !== undefined
          ? units(settled)
          : kind === "ROZ"
            ? total - advances
            : total
    ),
    buyer: within(within(text, "Podmiot2"), "Nazwa")
  }
}

const facturae = (text: string): ReadonlyArray<Figures> =>
  each(text, "Invoice").map((one) => {
    const [series, number] = [within(one, "InvoiceSeriesCode"), within(one, "InvoiceNumber") ?? ""]
    return {
      number: series === undefined ? number : `${series}/${number}`,
      day: dashed(within(one, "IssueDate")),
      currency: within(one, "InvoiceCurrencyCode"),
      gross: plain(units(within(one, "TotalExecutableAmount")) + units(within(one, "TotalPaymentsOnAccount")))
    }
  })

const ebInterface = (text: string): Figures => ({
  number: within(text, "InvoiceNumber") ?? "",
  day: dashed(within(text, "InvoiceDate")),
  currency: /InvoiceCurrency="(\w+)"/.exec(text)?.[1],
  gross: plain(
    units(within(text, "TotalGrossAmount")) +
      units(within(text, "RoundingAmount")) +
      sum(each(within(text, "BelowTheLineItem"), "LineItemAmount"))
  ),
  way: wayOf(/DocumentType="(\w+)"/.exec(text)?.[1], units(within(text, "TotalGrossAmount"))),
  buyer: within(within(text, "InvoiceRecipient"), "Name")
})

/** Everything that the text of one file states. */
export const figuresIn = (xml: string): ReadonlyArray<Figures> => {
  const text = xml
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<(\/?)[\w.-]+:/g, "<$1")
    .replace(/<UBLExtensions[\s\S]*?<\/UBLExtensions>/g, "")
    .replace(/(?<=>[^<]*)<Signature[\s\S]*?<\/Signature>/g, (all) => (all.includes("<Invoice") ? all : ""))
  const root = (name: string) => new RegExp(`<${name}[\\s>]`).test(text)
  if (root("CrossIndustryInvoice") || root("CrossIndustryDocument")) return [cii(text)]
  if (root("FatturaElettronica") || root("FatturaElettronicaSemplificata")) return fattura(text)
  if (root("Faktura")) return [ksef(text)]
  if (root("Facturae")) return facturae(text)
  const from = text.search(/<(?:Invoice|CreditNote)[\s>]/)
  if (from < 0) return []
  return [within(text, "LegalMonetaryTotal") === undefined ? ebInterface(text.slice(from)) : ubl(text.slice(from))]
}
