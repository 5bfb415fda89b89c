/** Adyen: reports one after the other, what a gap between them means, and who signed a webhook. */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { report, subject } from "../../../connectors/adyen/Sample.ts"
import * as Rest from "../../../connectors/rest/index.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const webhook = subject.connector.webhook!
const KEY = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"

const item = (more: object = {}) => ({
  eventCode: "REPORT_AVAILABLE",
  pspReference: "settlement_detail_report_batch_4.csv",
  merchantAccountCode: "TestMerchant",
  merchantReference: "",
  amount: { currency: "EUR", value: 0 },
  reason:
    "https://ca-test.adyen.com/reports/download/MerchantAccount/TestMerchant/settlement_detail_report_batch_4.csv",
  success: "true",
  ...more
})

const signed = (one: ReturnType<typeof item>, key = KEY) => {
  const { amount, eventCode, merchantAccountCode, merchantReference, pspReference, success } = one
  const words = [
    pspReference,
    "",
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success
  ]
  const hmacSignature = createHmac("sha256", Buffer.from(key, "hex")).update(words.join(":")).digest("base64")
  return { NotificationRequestItem: { ...one, additionalData: { hmacSignature } } }
}

const delivery = (...items: ReadonlyArray<object>) => ({
  headers: {},
  body: Buffer.from(JSON.stringify({ live: "false", notificationItems: items }))
})

const asked = (ran: Awaited<ReturnType<typeof run>>) =>
  ran.asked.map(({ path }) => Number(/_(\d+)\.csv$/.exec(path)![1]))

describe("adyen", () => {
  it("reads each report once, and goes on with the first that was not there", async () => {
    const stage = subject.open()
    const { records, stamp } = stage.source!.lists["settlements"]!
    const first = await run(subject, stage)
    assert.deepStrictEqual(asked(first), [1, 2, 3, 4, 5, 6])
    const after = bookmark(subject.connector, first.pages.at(-1)!)
    assert.deepStrictEqual(asked(await run(subject, stage, { after })), [4, 5, 6])
    const late = { ...records[0], "Modification Reference": "1713702551795099" }
    stamp!(late, null)
    records.push(late)
    const next = await run(subject, stage, { after })
    assert.deepStrictEqual(asked(next), [4, 5, 6, 7])
    assert.deepStrictEqual([...fold(next.pages).keys()], ["payment/Settled/1713702551795099"])
  })

  it("stops where a report is missing and a later one is there, until it is there or is left out on purpose", async () => {
    const missing = (paths: RegExp) => ({
      bend: {
        instead: ({ path }: { readonly path: string }) =>
          paths.test(path) ? new Response("", { status: 404 }) : undefined
      }
    })
    const gap = await run(subject, subject.open(), missing(/_2\.csv/))
    assert.match(gap.error!.message, /there is a file 3 of settlements, and no file 2; make file 2/)
    const after = bookmark(subject.connector, gap.pages.at(-1)!)
    const whole = fold((await run(subject, subject.open())).pages)
    const later = await run(subject, subject.open(), { after })
    assert.deepStrictEqual(fold(later.pages, fold(gap.pages)), whole)
    const settings = { ...(subject.settings as object), batch: 3 }
    const left = await run({ ...subject, settings }, subject.open(), { ...missing(/_2\.csv/), after })
    assert.deepStrictEqual(asked(left), [3, 4, 5, 6])
    const none = await run(subject, subject.open(), missing(/./))
    assert.match(none.pages[0]!.notices![0]!.what, /no file 1 yet; if there should be one, check the settings/)
  })

  it("stores a long report in parts, and reads it again where it was interrupted", async () => {
    const stage = subject.open()
    stage.grow!(1500)
    const { records } = stage.source!.lists["settlements"]!
    for (const one of records) one.batch = 1
    const whole = await run(subject, stage)
    assert.isAbove(whole.pages.length, 3)
    const after = bookmark(subject.connector, whole.pages[1]!)
    const rest = await run(subject, stage, { after })
    assert.strictEqual(asked(rest)[0], 1)
    assert.deepStrictEqual(fold(rest.pages, fold(whole.pages.slice(0, 2))), fold(whole.pages))
  })

  it("quarantines a type that is not known and a row with a cell too many, and reads quoted cells", async () => {
    const stage = subject.open()
    const { records } = stage.source!.lists["settlements"]!
    records[0].Type = "SettledTwice"
    records[1]["Merchant Reference"] = 'INV "1", again'
    const [head, ...lines] = report(records, 1).trimEnd().split("\n")
    const rows = Rest.csv("Type")([head, `extra,${lines[2]}`, ...lines].join("\n"))
    assert.strictEqual(rows[0], `extra,${lines[2]}`)
    assert.strictEqual((rows[2] as Record<string, string>)["Merchant Reference"], 'INV "1", again')
    assert.throws(() => Rest.csv("Type")(`${head}\n${lines[0]!.slice(0, 40)}`), /no end/)
    assert.throws(() => Rest.csv("Type")("a,b\n1,2\n"), /no list with a column "Type"/)
    const { pages } = await run(subject, stage)
    const why = pages.flatMap(({ quarantined }) => quarantined).map(({ origin, why }) => `${origin}: ${why}`)
    assert.deepStrictEqual(
      why,
      ["settlements/1713702551795048", "settlements/1/EUR"].map((one) => `${one}: "SettledTwice" is not a known type`)
    )
  })

  it("takes webhooks that Adyen signed, all of them, and pulls when a report is there", () => {
    const verify = (...items: ReadonlyArray<object>) => webhook.verify(delivery(...items), KEY, 0)
    assert.isTrue(verify(signed(item())))
    assert.isFalse(verify(signed(item()), signed(item(), "00".repeat(32))))
    assert.isFalse(verify({ NotificationRequestItem: item() }))
    assert.isFalse(verify())
    assert.isFalse(webhook.verify(delivery(signed(item())), "not hexadecimal", 0))
    const events = (...items: ReadonlyArray<object>) => webhook.events(delivery(...items), subject.settings as never)
    const other = item({ eventCode: "CHARGEBACK", pspReference: "9913140798220028" })
    assert.deepStrictEqual(events(signed(item()), signed(other)), [
      { event: "REPORT_AVAILABLE settlement_detail_report_batch_4.csv" }
    ])
    assert.deepStrictEqual(events(signed(other)), [])
    // The file's name is in the address only.
    const named = item({ pspReference: "QFQTPCQ8HXSKGK82" })
    assert.deepStrictEqual(events(signed(named)), [{ event: "REPORT_AVAILABLE QFQTPCQ8HXSKGK82" }])
    assert.isUndefined(events())
  })
})
