/**
 * What the row-by-row tests of the insurance interface share: invoices that are late, and documents that are uploaded.
 * A test is named after its row, `II 4: GET /v1/users`, so that the table of rows in the documentation is made of names.
 */
import { expect } from "vitest"
import { type Answered, insured, type Json, KEY, organisation, user, type Wire } from "../sandbox/Wire.ts"

export * from "../sandbox/Wire.ts"

export const START = "2024-03-01T09:00:00Z"

/** Days of an invoice of `Wire.invoice`, which is due on 2024-03-31. */
export const DAYS = { active: "2024-03-31", late: "2024-04-01", late_can_handover: "2024-05-20", lapsed: "2024-06-15" }

export const at = (api: Wire, day: string) => api.post("/sandbox/clock", { set: `${day}T12:00:00Z` })

export const detail = { detail: expect.any(String) }
export const messages = [expect.any(String)]

/** The names of the members that a 400 complains about. */
export const fields = ({ body, status }: Answered): ReadonlyArray<string> => {
  expect([status, body]).toEqual([400, expect.any(Object)])
  return Object.keys(body).toSorted()
}

/** An organisation with an admin, as a collection asks for. */
const withAdmin = async (api: Wire) => {
  const [owner, admin] = [await organisation(api), await user(api)]
  await api.post(`/v1/organisations/${owner}/users`, { id: admin, role: "admin" })
  return { owner, admin }
}

/** An insured invoice that can be handed over; the clock stands on that day. */
export const late = async (api: Wire, more: Readonly<Record<string, unknown>> = {}) => {
  await at(api, "2024-03-01")
  const { admin, owner } = await withAdmin(api)
  const whole = await insured(api, { owner, ...more })
  await at(api, DAYS.late_can_handover)
  return { ...whole, admin, owner }
}

export const INVOICE = { name: "invoice.pdf", type: "application/pdf", content: "%PDF-1.4 a copy of the invoice" }

/** One multipart request, as any HTTP client makes it. */
export const upload = async (
  api: Wire,
  members: Readonly<Record<string, string | typeof INVOICE>>,
  path = "/v1/collectiondocuments"
): Promise<Answered> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === "string") form.append(name, value)
    else form.append(name, new Blob([value.content], { type: value.type }), value.name)
  }
  const answer = await fetch(api.url + path, {
    method: "POST",
    headers: { authorization: `Token ${KEY}` },
    body: form,
    signal: AbortSignal.timeout(8000)
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : (JSON.parse(text) as Json) }
}

/** Makes the collection of a policy, with a document, and sends it. */
export const handOver = async (api: Wire, policy: string): Promise<void> => {
  const { id } = (await api.post("/v1/collections", { policy })).body
  await upload(api, { policy, file: INVOICE })
  expect((await api.put(`/v1/collections/${id}/send`)).status).toBe(200)
}
