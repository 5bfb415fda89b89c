/**
 * The hosted page of a referral address (II 1, 5): what its secret key opens without a login, and nothing else.
 */
import { expect, test } from "vitest"
import { at, companies, DAYS, invoice, sandbox } from "./Rows.ts"

const api = sandbox({ keys: ["sandbox-key", "other-key"], clock: "2024-03-01T09:00:00Z" })

const open = async (url: string, act?: string) => {
  const answer = await fetch(act === undefined ? url : `${url}?do=${act}`, act === undefined ? {} : { method: "POST" })
  return { status: answer.status, html: await answer.text(), type: answer.headers.get("content-type") }
}

test("II 1: Referral URLs let a customer confirm a transaction and buy insurance on a hosted page without logging in", async () => {
  const { buyer } = await companies(api)
  const { id, referral_url } = await invoice(api, { status: "draft", number: "<b>1</b>" })
  const first = await open(referral_url)
  expect([first.status, first.type]).toEqual([200, "text/html; charset=utf-8"])
  expect(first.html).toContain(buyer.name)
  expect(first.html).toContain("&#60;b&#62;1")
  expect(first.html).not.toContain("<b>1")
  const read = async () => (await api.get(`/v1/transactions/${id}?expand=policy,quote`)).body
  expect((await open(referral_url, "buy")).status).toBe(409)
  expect((await open(referral_url, "confirm")).html).not.toContain("do=confirm")
  expect((await read()).status).toBe("pending")
  expect((await open(referral_url, "quote")).html).toContain("Insure it for 22.40 GBP")
  expect((await open(referral_url, "buy")).status).toBe(200)
  expect(await read()).toMatchObject({ policy: { status: "active" }, quote: { status: "accepted" } })
  for (const act of ["confirm", "quote", "buy", "toString", ""])
    expect((await open(referral_url, act)).status).toBe(409)
})

test("a quote's own address leads to the same page; an offer that has expired can be asked for again", async () => {
  const transaction = await invoice(api)
  const quote = (await api.post("/v1/quotes", { transaction: transaction.id })).body
  expect((await open(quote.referral_url)).html).toContain("do=buy")
  await at(api, DAYS.lapsed)
  const later = (await open(quote.referral_url)).html
  expect([later.includes("do=buy"), later.includes("do=quote")]).toEqual([false, true])
})

test("II 5: the key grants access to one transaction: another, or none, is 404", async () => {
  const { id, referral_url, transaction_key } = await invoice(api)
  for (const wrong of [id, `key-${id.slice(5)}`, `${transaction_key}0`, "key-", "x", "%00", "__proto__"]) {
    expect([wrong, (await open(`${api.url}/referral/${wrong}`)).status]).toEqual([wrong, 404])
    expect([wrong, (await open(`${api.url}/referral/${wrong}`, "confirm")).status]).toEqual([wrong, 404])
  }
  await api.remove(`/v1/transactions/${id}`)
  expect((await open(referral_url)).status).toBe(404)
})
