/**
 * JSON Lines: numbers with the digits they were written with, members within members, lines that are no objects.
 */
import { describe, expect, it } from "vitest"
import { invoices, plain, pull } from "./support.ts"

const NAME = "invoices.jsonl"
const record = (over: string) =>
  `{"Invoice":"A","Buyer":"Acme","Country":"GB","Issued":"2024-01-31","Due":"2024-03-01","Net":1,"Gross":2,"State":"Sent",${over}}`

const read = async (text: string, more: object = {}) => {
  const outcome = await pull({ [NAME]: text }, invoices(more, NAME))
  return { ...outcome, documents: plain(outcome.documents) as ReadonlyArray<Record<string, unknown>> }
}

it("numbers pass through no double: amounts and long ids keep every digit", async () => {
  const { documents, quarantined } = await read(
    [
      record('"Invoice":9007199254740993,"Gross":90071992547409.93'),
      record('"Invoice":12345678901234567890,"Gross":0.10'),
      record('"Invoice":"C","Gross":100000000000000.01')
    ].join("\n")
  )
  expect(quarantined).toEqual([])
  expect(documents.map(({ gross, id }) => [id, gross])).toEqual([
    ["9007199254740993", "90071992547409.93"],
    ["12345678901234567890", "0.10"],
    ["C", "100000000000000.01"]
  ])
})

it("a number has a point, and a text is read as the file writes it", async () => {
  const { documents, quarantined } = await read(
    [record('"Net":1.5,"Gross":"1.234,50"'), record('"Invoice":"B","Net":1.234,"Gross":"1,5"')].join("\n")
  )
  expect(documents.map(({ gross, net }) => [net, gross])).toEqual([["1.50", "1234.50"]])
  expect(quarantined.map(({ why }) => why)).toEqual(['"1.234" has more than 2 decimal places (GBP); correct it'])
})

it("points go into members within members, unless a member has the whole name", async () => {
  const columns = {
    id: "no",
    customer: "buyer.name",
    customer_country: "buyer.where.country",
    issued: "a.b",
    due: "due",
    gross: "gross"
  }
  const { documents, quarantined } = await read(
    '{"no":1,"buyer":{"name":"Acme","where":{"country":"DE"}},"a.b":"2024-01-31","due":"2024-03-01","gross":5}\n' +
      '{"no":2,"buyer":{"name":"Acme"},"a":{"b":"2024-01-31"},"due":"2024-03-01","gross":5,"where":null}\n' +
      '{"no":3,"buyer":"Acme","a":{"b":"2024-01-31"},"due":"2024-03-01","gross":5}\n',
    { columns }
  )
  expect(documents.map(({ id, issued, party }) => [id, issued, party])).toEqual([
    ["1", "2024-01-31", { name: "Acme", country: "DE" }],
    ["2", "2024-01-31", { name: "Acme" }]
  ])
  expect(quarantined.map(({ field, origin }) => [origin, field])).toEqual([["invoices.jsonl:3", "buyer.name"]])
})

it("a line that is no object is quarantined with its text, and the others are read", async () => {
  const bad = ['{"Invoice":', "[1]", "null", "5", '"text"', record('"x":tru')]
  const { documents, quarantined } = await read([record('"a":1'), ...bad, "", record('"Invoice":"Z"')].join("\n"))
  expect(documents.map(({ id }) => id)).toEqual(["A", "Z"])
  expect(quarantined.map(({ origin, raw }) => [origin, raw])).toEqual(
    bad.map((text, n) => [`invoices.jsonl:${n + 2}`, text])
  )
  expect(quarantined.map(({ why }) => why.replace(/:.*/s, ""))).toEqual([
    "it is not JSON",
    ...Array(4).fill("it is not a JSON object; write one in each line"),
    "it is not JSON"
  ])
})

it("a control character that is escaped is found as well", async () => {
  const { quarantined } = await read(record('"Buyer":"Ac\\u0000me"'))
  expect(quarantined).toMatchObject([{ field: "Buyer", why: expect.stringMatching(/^contains a NUL byte/) }])
})

it("a last record that was not written to its end is quarantined, and asked after", async () => {
  const { documents, quarantined } = await read(`${record('"a":1')}\n${record('"Invoice":"B"').slice(0, 60)}`)
  expect(documents).toHaveLength(1)
  expect(quarantined).toMatchObject([
    { origin: "invoices.jsonl:2", why: expect.stringMatching(/the file ends with it: export the whole file again/) }
  ])
})

describe("a member that no record has", () => {
  it("stops the file where nothing can be read without it", async () => {
    const { error, pages } = await read(record('"a":1').replace('"Buyer"', '"Buyers"'))
    expect(pages).toEqual([])
    expect(error?.message).toBe(
      'files: invoices.jsonl has no member "Buyer", which source.invoices.columns.customer asks for; its records have "Invoice", "Buyers", "Country", "Issued", "Due", "Net", "Gross", "State", "a"; did you mean "Buyers"? Correct the configuration, or the file'
    )
  })

  it("is told where it can", async () => {
    const { documents, notices } = await read(record('"a":1').replace('"Country":"GB",', ""))
    expect(documents).toHaveLength(1)
    expect(notices.map(({ what }) => what)).toEqual([
      'its first records have no "Country", which source.invoices.columns.customer_country asks for; they have "Invoice", "Buyer", "Issued", "Due", "Net", "Gross", "State", "a"'
    ])
  })
})
