/** Provides fixtures for the Adyen connector, and Adyen's reports of them, for the conformance kit. */
import { copy, textOf, type Record, type Source } from "../testing/Simulator.ts"
import { amountOf } from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { adyen } from "./Adyen.ts"

const COLUMNS = [
  ...["Company Account", "Merchant Account", "Psp Reference", "Merchant Reference", "Payment Method", "Creation Date"],
  ...["TimeZone", "Type", "Modification Reference", "Gross Currency", "Gross Debit (GC)", "Gross Credit (GC)"],
  ...["Exchange Rate", "Net Currency", "Net Debit (NC)", "Net Credit (NC)", "Commission (NC)", "Markup (NC)"],
  ...["Scheme Fees (NC)", "Interchange (NC)", "Payment Method Variant", "Modification Merchant Reference"],
  ...["Batch Number", "Reserved4"]
]

interface Row {
  readonly batch: number
  readonly type: string
  readonly psp?: string
  readonly reference?: string
  readonly modification?: string
  readonly debit?: string
  readonly credit?: string
  readonly currency?: string
  readonly method?: string
  readonly at?: string
  readonly net?: string
  /** Adyen's commission, by which the net amount is less. */
  readonly commission?: string
}

const row = ({ at = "2026-01-12 11:26:49", batch, currency = "EUR", method = "visa", type, ...rest }: Row): Record => ({
  batch,
  "Company Account": "TestCompany",
  "Merchant Account": "TestMerchant",
  "Psp Reference": rest.psp ?? "",
  "Merchant Reference": rest.reference ?? "",
  "Payment Method": rest.psp === undefined ? "" : method,
  "Creation Date": at,
  TimeZone: "CET",
  Type: type,
  "Modification Reference": rest.modification ?? `${type} January 2026`,
  "Gross Currency": currency,
  "Gross Debit (GC)": rest.debit ?? "",
  "Gross Credit (GC)": rest.credit ?? "",
  "Exchange Rate": "1",
  "Net Currency": currency,
  "Net Debit (NC)": rest.debit ?? "",
  "Net Credit (NC)": rest.net ?? rest.credit ?? "",
  "Commission (NC)": rest.commission ?? ""
})

const LATER = "2026-02-14 17:09:02"
const first = { psp: "1813702551707653", reference: "INV-1" }
const second = { psp: "1813702551707654", reference: "INV-2", method: "sepadirectdebit", currency: "GBP" }
const third = { psp: "1813702551707655", method: "mc" }

const ROWS = [
  row({
    ...{ batch: 1, type: "Settled", ...first, modification: "1713702551795048" },
    ...{ credit: "75.00", net: "74.10", commission: "0.90" }
  }),
  row({ batch: 1, type: "Settled", ...first, modification: "1713702551795049", credit: "25.00" }),
  row({ batch: 1, type: "Settled", ...second, modification: "1713702551795050", credit: "349.99" }),
  row({ batch: 1, type: "Settled", ...third, modification: "1713702551795051", credit: "20.00" }),
  row({ batch: 1, type: "Fee", debit: "0.30" }),
  row({ batch: 1, type: "MerchantPayout", debit: "118.80", modification: "TX1183112017XT batch 1, TestMerchant" }),
  row({ batch: 2, type: "Refunded", ...first, modification: "1713702551795052", debit: "5.95", at: LATER }),
  row({ batch: 2, type: "RefundedReversed", ...first, modification: "1713702551795052", credit: "5.95", at: LATER }),
  row({ batch: 2, type: "Chargeback", ...second, modification: "1713702551795053", debit: "349.99", at: LATER }),
  row({ batch: 2, type: "PaymentCost", ...second, modification: "1713702551795054", debit: "7.50", at: LATER }),
  row({ batch: 3, type: "SettledReversed", ...third, modification: "1713702551795055", debit: "20.00", at: LATER }),
  row({
    batch: 3,
    type: "ChargebackReversed",
    ...second,
    modification: "1713702551795056",
    credit: "349.99",
    at: "2026-02-21 09:13:37"
  })
]

const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A batch's report, as Adyen writes it. */
export const report = (rows: ReadonlyArray<Record>, n: number): string => {
  const cells = (one: Record) =>
    COLUMNS.map((column) => quoted(column === "Batch Number" ? String(n) : (one[column] ?? "")))
  return `${[COLUMNS, ...rows.map(cells)].map((row) => row.join(",")).join("\n")}\n`
}

const PATH = /^\/reports\/download\/MerchantAccount\/TestMerchant\/settlement_detail_report_batch_(\d+)\.csv$/

const sourceOf = (): Source => {
  const records = copy(ROWS)
  /** Puts new rows into a new batch after all others; a payout is what its batch ends with. */
  const stamp = (record: Record) => {
    if (record["Type"] === "MerchantPayout") return
    record.batch = Math.max(0, ...records.map(({ batch }) => batch)) + 1
  }
  return {
    lists: { settlements: { records, id: "Modification Reference", stamp } },
    answer: ({ headers, path }) => {
      if (headers["authorization"] !== `Basic ${Buffer.from("report_1@Company.Test:sample-secret").toString("base64")}`)
        return { status: 401, body: "Unauthorized" }
      const n = Number(PATH.exec(path)?.[1] ?? 0)
      const batches = [...new Set(records.map(({ batch }) => batch))].sort((a, b) => a - b)
      if (batches[n - 1] === undefined) return undefined
      const rows = records.filter(({ batch }) => batch === batches[n - 1])
      return { body: report(rows, n), headers: { "content-type": "text/csv" } }
    }
  }
}

/** Adds batches of 250 payments in the previous year; every twentieth payment has a refund. */
const grow = ({ lists }: Source, count: number): void => {
  const { records } = lists["settlements"]!
  const at = "2025-06-12 11:26:49"
  for (let n = 0; n < count; n++) {
    const its = { psp: `P${n}`, reference: `INV-P${n}`, batch: 10 + Math.floor(n / 250), at }
    records.push(row({ ...its, type: "Settled", modification: `S${n}`, credit: "12.00" }))
    if (n % 20 === 3) records.push(row({ ...its, type: "Refunded", modification: `R${n}`, debit: "1.00" }))
  }
}

const of =
  (psp: string, invoice?: string) =>
  (amount: string, currency = "EUR") =>
    `"currency":"${currency}",${invoice === undefined ? `"shares":[],"unallocated":"${amount}"` : `"shares":[{"invoice":"${invoice}","amount":"${amount}"}]`},"trace":"${psp}"`
const [one, two, three] = [of(first.psp, "INV-1"), of(second.psp, "INV-2"), of(third.psp)]

export const subject: Subject = {
  connector: adyen,
  settings: { merchant: "TestMerchant", user: { env: "ADYEN_USER" }, password: { env: "ADYEN_PASSWORD" } },
  environment: { ADYEN_USER: "report_1@Company.Test", ADYEN_PASSWORD: "sample-secret" },
  nothing: ["1713702551795054"],
  golden: [
    `{"kind":"payment","id":"Settled/1713702551795048","date":"2026-01-12",${one("7500000000n")},"method":"card"}`,
    `{"kind":"payment","id":"Settled/1713702551795049","date":"2026-01-12",${one("2500000000n")},"method":"card"}`,
    `{"kind":"payment","id":"Settled/1713702551795050","date":"2026-01-12",${two("34999000000n", "GBP")},"method":"bank"}`,
    `{"kind":"payment","id":"Settled/1713702551795051","date":"2026-01-12",${three("2000000000n")},"method":"card"}`,
    `{"kind":"reversal","id":"Refunded/1713702551795052","date":"2026-02-14",${one("595000000n")},"type":"refund","providerCode":"Refunded"}`,
    `{"kind":"payment","id":"RefundedReversed/1713702551795052","date":"2026-02-14",${one("595000000n")},"method":"card"}`,
    `{"kind":"reversal","id":"Chargeback/1713702551795053","date":"2026-02-14",${two("34999000000n", "GBP")},"type":"chargeback","providerCode":"Chargeback"}`,
    `{"kind":"reversal","id":"SettledReversed/1713702551795055","date":"2026-02-14",${three("2000000000n")},"type":"error","providerCode":"SettledReversed"}`,
    `{"kind":"payment","id":"ChargebackReversed/1713702551795056","date":"2026-02-21",${two("34999000000n", "GBP")},"method":"bank"}`,
    `{"kind":"payout","id":"1/EUR","date":"2026-01-12","currency":"EUR","amount":"11880000000n","status":"paid","by":"Adyen","references":["TX1183112017XT batch 1, TestMerchant"],"items":[{"part":"collected","name":"Settled","count":3,"amount":"12000000000n"},{"part":"fees","name":"Fee","count":1,"amount":"-30000000n"},{"part":"fees","name":"fees of Settled","count":1,"amount":"-90000000n"}]}`
  ],
  open: () => {
    const source = sourceOf()
    const { records } = source.lists["settlements"]!
    return {
      source,
      grow: (count) => grow(source, count),
      ...amountOf(
        `payment/Settled/${textOf(records[0]["Modification Reference"])}`,
        (value) => void (records[0]["Gross Credit (GC)"] = value),
        "90071992547409.93"
      )
    }
  }
}
