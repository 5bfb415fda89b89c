/**
 * What nobody should send to the endpoints that only insurance has: forms that are broken, huge or strange, bodies of
 * the wrong kind, any JSON at all. The answer is a 4xx with a body, never a 5xx, never a hang.
 */
import fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { type Answered, call, INVOICE, insured, type Json, KEY, late, sandbox, upload } from "./Rows.ts"
import { times } from "../../support/Effort.ts"

const api = sandbox()

let policy = ""
let collection = ""
beforeAll(async () => {
  policy = (await late(api)).policy.id
  collection = (await api.post("/v1/collections", { policy })).body.id
})

const refused = ({ body, status }: Answered, about: unknown) =>
  expect([about, status >= 400 && status < 500, typeof body]).toEqual([about, true, "object"])

const raw = async (body: string | Uint8Array<ArrayBuffer>, contentType: string): Promise<Answered> => {
  const answer = await fetch(`${api.url}/v1/collectiondocuments`, {
    method: "POST",
    headers: { authorization: `Token ${KEY}`, "content-type": contentType },
    body,
    signal: AbortSignal.timeout(8000)
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json }
}

const FORM = "multipart/form-data; boundary=b"
const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`
const END = "--b--\r\n"

describe("forms", () => {
  test("that are broken", async () => {
    for (const [body, type] of [
      ["", FORM],
      ["", "multipart/form-data"],
      ["nothing of the kind", FORM],
      ["--b", FORM],
      ["--b--", FORM],
      [END, FORM],
      [part("", "x"), FORM],
      [part("Content-Disposition: form-data", "x") + END, FORM],
      [part('Content-Disposition: form-data; name="policy"', "x"), FORM],
      [part('Content-Disposition: form-data; name="file"; filename="a"', "never ends"), FORM],
      [`${"--b\r\n".repeat(1000)}${END}`, FORM],
      [part(`X: ${"y".repeat(100_000)}`, "x") + END, FORM],
      [part('Content-Disposition: form-data; name="policy"', "x".repeat(200_000)) + END, FORM],
      [part('Content-Disposition: form-data; name="a"', "x").repeat(5000) + END, FORM],
      ["\u0000\u0001\u0002", 'multipart/mixed; boundary=""'],
      ["[]", "application/json"],
      ["policy=1&file=2", "application/x-www-form-urlencoded"]
    ] as const) {
      refused(await raw(body, type), [body.slice(0, 60), type])
    }
  })

  test("with members named like the language's own, and members twice", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"]
    const body = names.map((name) => part(`Content-Disposition: form-data; name="${name}"`, "x")).join("")
    refused(await raw(body + END, FORM), names)
    const twice = part('Content-Disposition: form-data; name="policy"', "pol-nobody")
    const right = part('Content-Disposition: form-data; name="policy"', policy)
    const file = part('Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain', "a")
    expect((await raw(twice + right + file + END, FORM)).status).toBe(201)
    expect(({} as Json).x).toBeUndefined()
  })

  test("names of files cannot leave their place, and come back as they were", async () => {
    for (const name of ["../../etc/passwd", "a/b.pdf", "%2e%2e", "näme 😀.pdf", "a\\b", "x".repeat(300), ".."]) {
      const { body, status } = await upload(api, { policy, file: { ...INVOICE, name } })
      expect([name, status]).toEqual([name, 201])
      const answer = await fetch(body.file, { headers: { authorization: `Token ${KEY}` } })
      expect([name, answer.status, await answer.text()]).toEqual([name, 200, INVOICE.content])
    }
  })

  test("a media type cannot break the answer that bears it", async () => {
    const file = part(
      'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: text/x\u00ff; a="\u0001"',
      "a"
    )
    const right = part('Content-Disposition: form-data; name="policy"', policy)
    const { body, status } = await raw(right + file + END, FORM)
    if (status !== 201) return refused({ body, status, headers: new Headers() }, "media type")
    const answer = await fetch(body.file, { headers: { authorization: `Token ${KEY}` } })
    expect([answer.status, await answer.text()]).toEqual([200, "a"])
  })

  test("bytes come back as they were; a huge one is refused", async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256)
    const form = new FormData()
    form.append("policy", policy)
    form.append("file", new Blob([bytes]), "bytes.bin")
    const send = (body: FormData) =>
      fetch(`${api.url}/v1/collectiondocuments`, { method: "POST", headers: { authorization: `Token ${KEY}` }, body })
    const { file } = (await (await send(form)).json()) as Json
    const back = await (await fetch(file, { headers: { authorization: `Token ${KEY}` } })).bytes()
    expect(Buffer.compare(back, bytes)).toBe(0)
    form.append("more", new Blob([new Uint8Array(11 * 1024 * 1024)]), "huge.bin")
    expect((await send(form)).status).toBe(413)
  })

  test("where JSON is asked for, a form is read as members, or refused", async () => {
    refused(await upload(api, { owner: "org-nobody" }, "/v1/transactions"), "form for a transaction")
    refused(await upload(api, { company: INVOICE }, "/v1/scores"), "a file for a company")
  })
})

describe("any JSON", () => {
  test("over every endpoint that insurance alone has: below 500, and what was there is still readable", async () => {
    await insured(api)
    const names = fc.constantFrom(
      ...["policy", "type", "file", "company", "country", "name", "currency", "owner", "unique_id", "trading_name"],
      ...["proprietor_name", "proprietor_address_country", "date_of_birth", "confirm_correct", "partial_payment"],
      ...["debtor_country", "creditor_contact_email", "disputed", "comments", "collections_terms_acceptance"]
    )
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>(
        policy,
        "co-1000",
        "GB",
        "France",
        "1980-02-29",
        "12.50",
        -1,
        1e21,
        true,
        "",
        "\ud800",
        null
      )
    )
    const routes = fc.constantFrom(
      ...([
        ["POST", "/v1/scores"],
        ["POST", "/v1/credit_limits/debtor/company/co-1001/"],
        ["POST", "/v1/credit_limits/debtor/company/%00/"],
        ["POST", "/v1/soletraders"],
        ["PATCH", "/v1/soletraders/st-x"],
        ["POST", "/v1/collections"],
        ["PATCH", `/v1/collections/${collection}`],
        ["PUT", `/v1/collections/${collection}/send`],
        ["POST", "/v1/collectiondocuments"]
      ] as const)
    )
    const bodies = fc.dictionary(fc.oneof({ weight: 9, arbitrary: names }, fc.string()), values, { maxKeys: 8 })
    await fc.assert(
      fc.asyncProperty(routes, bodies, async ([method, path], body) => {
        const answer = await call(api.url + path, method, JSON.stringify(body))
        expect([answer.status, answer.status < 500, typeof answer.body]).toEqual([answer.status, true, "object"])
      }),
      { numRuns: times(600) }
    )
    for (const list of ["soletraders", "collections", "collectiondocuments", "policies"]) {
      expect([list, (await api.get(`/v1/${list}?limit=1000&expand=owner,policy,quote`)).status]).toEqual([list, 200])
    }
  })
})
