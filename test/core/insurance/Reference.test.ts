/**
 * Row by row: reference data, companies, sole traders, scores and credit limits of the insurance interface (II 2.1,
 * 2.2, 4, 8).
 */
import { describe, expect, test } from "vitest"
import {
  call,
  companies,
  detail,
  fields,
  fresh,
  insured,
  invoice,
  type Json,
  messages,
  sandbox,
  START,
  user
} from "./Rows.ts"

const api = sandbox({ clock: START })

describe("reference data", () => {
  test.each([
    ["II 4: GET /v1/countries/customer: a list of {code, name}", "customer"],
    ["II 4: GET /v1/countries/debtor: a list of {code, name}", "debtor"]
  ])("%s", async (_, which) => {
    const { body, status } = await api.get(`/v1/countries/${which}`)
    expect(status).toBe(200)
    expect(body).toContainEqual({ code: "GB", name: "United Kingdom" })
    for (const country of body)
      expect(country).toEqual({ code: expect.stringMatching(/^[A-Z]{2}$/), name: expect.any(String) })
    expect((await call(`${api.url}/v1/countries/${which}`, "GET", undefined, null)).status).toBe(200)
  })

  test("II 4: POST /v1/companies/search: matches with their confidence", async () => {
    const { buyer } = await companies(api)
    const { body, status } = await api.post("/v1/companies/search", { country: buyer.country, name: buyer.name })
    expect([status, body.matches[0].id]).toEqual([200, buyer.id])
    expect(body.matches[0].confidence).not.toBeNull()
  })

  test("II 4: GET /v1/companies/<company_id>: the company", async () => {
    const { buyer } = await companies(api)
    const { body, status } = await api.get(`/v1/companies/${buyer.id}?expand=sectors`)
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(
      [
        ...["url", "id", "name", "creation_date", "status", "legal_form", "country", "address", "city", "postcode"],
        ...["email", "phone", "sectors", "identifiers", "confidence"]
      ].toSorted()
    )
    expect(body.url).toBe(`${api.url}/v1/companies/${buyer.id}`)
  })
})

const trader = async (more: Readonly<Record<string, unknown>> = {}) => ({
  owner: await user(api),
  unique_id: fresh("trader"),
  trading_name: "Corner Shop",
  proprietor_name: "Jo Trader",
  proprietor_address_country: "United Kingdom",
  ...more
})

describe("sole traders", () => {
  test("II 4: POST, GET /v1/soletraders: 201; addresses and date of birth are optional; a page of one's own", async () => {
    const payload = await trader()
    const { body, status } = await api.post("/v1/soletraders", payload)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...payload,
      proprietor_address_country: "GB",
      id: expect.stringMatching(/^co-/),
      soletrader_id: expect.stringMatching(/^st-/),
      trading_address: null,
      date_of_birth: null
    })
    const page = (await api.get("/v1/soletraders?limit=1000")).body
    expect(page.results.find(({ soletrader_id }: Json) => soletrader_id === body.soletrader_id)).toEqual(body)
    expect((await api.get("/v1/soletraders?expand=owner")).body.results[0].owner.id).toMatch(/^user-/)
  })

  test("II 4: GET, PATCH /v1/soletraders/<soletrader_id>: any subset; the whole sole trader answers", async () => {
    const made = (await api.post("/v1/soletraders", await trader())).body
    const path = `/v1/soletraders/${made.soletrader_id}`
    expect((await api.get(path)).body).toEqual(made)
    const changes = { trading_address_city: "Leeds", date_of_birth: "1980-02-29", trading_address_country: "France" }
    const { body, status } = await api.patch(path, changes)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...changes, trading_address_country: "FR", id: made.id, unique_id: made.unique_id })
    expect(body).toMatchObject({ name: "Corner Shop", city: "Leeds", country: "FR", legal_form: "Sole trader" })
    expect((await api.get("/v1/soletraders/st-nobody")).body).toEqual(detail)
    expect((await api.patch("/v1/soletraders/st-nobody", {})).status).toBe(404)
  })

  test("DP 7.3: unknown owner and duplicate unique_id: 400 under both; so on PATCH", async () => {
    const payload = await trader()
    const [first, second] = [
      await api.post("/v1/soletraders", payload),
      await api.post("/v1/soletraders", await trader())
    ]
    const twice = { ...payload, owner: "user-nobody" }
    expect(fields(await api.post("/v1/soletraders", twice))).toEqual(["owner", "unique_id"])
    const path = `/v1/soletraders/${second.body.soletrader_id}`
    expect(fields(await api.patch(path, twice))).toEqual(["owner", "unique_id"])
    expect((await api.patch(path, { unique_id: second.body.unique_id })).status).toBe(200)
    expect(first.status).toBe(201)
    expect(fields(await api.post("/v1/soletraders", {}))).toEqual(
      ["owner", "proprietor_address_country", "proprietor_name", "trading_name", "unique_id"].toSorted()
    )
    const wrong = await trader({ proprietor_address_country: "Atlantis", owner: "org-1", date_of_birth: "1980-02-30" })
    expect(fields(await api.post("/v1/soletraders", wrong))).toEqual([
      "date_of_birth",
      "owner",
      "proprietor_address_country"
    ])
    expect(fields(await api.post("/v1/soletraders", await trader({ trading_address_country: "Atlantis" })))).toEqual([
      "trading_address_country"
    ])
  })

  test("DP 2.3: its id goes wherever a company is required; it is in no search, and in no other platform", async () => {
    const { body } = await api.post("/v1/soletraders", await trader({ trading_name: "Very Own Shop" }))
    const transaction = await invoice(api, { debtor: body.id })
    const expanded = (await api.get(`/v1/transactions/${transaction.id}?expand=debtor`)).body.debtor
    expect(expanded).toMatchObject({ id: body.id, name: "Very Own Shop" })
    expect((await api.get(`/v1/companies/${body.id}`)).body).toEqual(expanded)
    expect((await api.post("/v1/scores", { company: body.id })).body).toMatchObject({
      company: body.id,
      net_assets: null
    })
    const found = await api.post("/v1/companies/search", { country: "GB", name: "Very Own Shop" })
    expect(found.body.matches).toEqual([])
    await api.put(`/sandbox/companies/${body.id}/decision`, { code: "buyer-profile" })
    const quote = (await api.post("/v1/quotes", { transaction: transaction.id })).body
    expect(quote.rejection_reason.code).toBe("buyer-profile")
  })
})

describe("scores", () => {
  const score = (body: unknown) => api.post("/v1/scores", body)

  test("II 4: POST /v1/scores: by company, or by country with name or reg_number", async () => {
    const { buyer } = await companies(api)
    const { body, status } = await score({ company: buyer.id })
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(
      [
        ...["company", "name", "reg_number", "address", "country", "creation_date", "status", "score"],
        ...["ultimate_parent_company", "net_assets", "annualized_turnover", "change_net_assets"],
        ...["change_annualized_turnover", "number_officers", "accounts_next_duedate", "latest_financials_date"]
      ].toSorted()
    )
    expect(body).toMatchObject({ company: buyer.id, name: buyer.name, reg_number: buyer.reg_number, country: "GB" })
    expect(body.score).toMatch(/^[1-5]$/)
    expect((await score({ country: "United Kingdom", name: buyer.name })).body).toEqual(body)
    expect((await score({ country: "GB", reg_number: buyer.reg_number, address: "anywhere" })).body).toEqual(body)
  })

  test("II 2.1: every score is given: 1 Excellent to 5 Danger, as the directory decides", async () => {
    const { all } = await companies(api)
    const given = new Set<string>()
    for (const { decision, id } of all) {
      const { body } = await score({ company: id })
      given.add(body.score)
      if (decision !== null) expect([decision.code, Number(body.score) >= 4]).toEqual([decision.code, true])
    }
    expect([...given].toSorted()).toEqual(["1", "2", "3", "4", "5"])
  })

  test("II 4: raw data without a match: 200 with nulls and empty strings", async () => {
    const { body, status } = await score({ country: "GB", name: "Nobody At All" })
    expect(status).toBe(200)
    for (const [name, value] of Object.entries(body))
      expect([name, value === null || value === ""]).toEqual([name, true])
    expect([body.company, body.score, body.name]).toEqual([null, null, ""])
  })

  test("II 4: an unknown or wrongly prefixed company: 400 under company; too little: every field that is missing", async () => {
    for (const company of ["co-nobody", "user-1", 7])
      expect((await score({ company })).body).toEqual({ company: messages })
    expect(fields(await score({}))).toEqual(["country", "non_field_errors"])
    expect(fields(await score({ country: "Atlantis" }))).toEqual(["country", "non_field_errors"])
    expect(fields(await score({ country: "GB" }))).toEqual(["non_field_errors"])
    expect(fields(await score({ name: "Somebody" }))).toEqual(["country"])
  })
})

describe("credit limits", () => {
  const limit = (id: string, body: unknown = {}) => api.post(`/v1/credit_limits/debtor/company/${id}/`, body)

  test("II 4: POST /v1/credit_limits/debtor/company/<company_id>/: eligible, in EUR unless asked otherwise", async () => {
    const { other } = await companies(api)
    const { body, status } = await limit(other.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      company: other.id,
      status: "eligible",
      rejection_reason: null,
      currency: "EUR",
      available_insured_amount: expect.stringMatching(/^\d+\.\d\d$/),
      current_insured_amount: "0.00",
      maximum_insured_amount: body.available_insured_amount
    })
    expect((await limit(other.id, { currency: "GBP" })).body.currency).toBe("GBP")
    expect((await api.post(`/v1/credit_limits/debtor/company/${other.id}`)).status).toBe(200)
  })

  test("II 2.2: declined has a reason, and no available or maximum amount", async () => {
    const { all } = await companies(api)
    const { decision, id } = all.find(({ decision }) => decision?.code === "buyer-too-young")
    expect((await limit(id)).body).toMatchObject({
      status: "declined",
      rejection_reason: { code: decision.code, params: decision.params, detail: expect.stringContaining("{") },
      available_insured_amount: null,
      current_insured_amount: "0.00",
      maximum_insured_amount: null
    })
  })

  test("II 2.2: amounts are insured exposure: a policy uses 90 percent of its net amount; what is beyond is declined", async () => {
    const credit_limit = { currency: "GBP", amount: "9000.00" }
    const added = await api.post("/sandbox/companies", { name: fresh("Limited"), country: "GB", credit_limit })
    const debtor = added.body.id
    expect((await limit(debtor)).body).toMatchObject({ available_insured_amount: "9000.00" })
    const more = await invoice(api, { debtor, net_amount: "10000.01" })
    const refused = (await api.post("/v1/quotes", { transaction: more.id })).body
    expect([refused.status, refused.rejection_reason.code]).toEqual(["declined", "buyer-limit"])
    const { transaction } = await insured(api, { debtor, net_amount: "10000.00" })
    expect((await limit(debtor)).body).toMatchObject({
      available_insured_amount: "0.00",
      current_insured_amount: "9000.00",
      maximum_insured_amount: "9000.00"
    })
    await api.put(`/v1/transactions/${transaction.id}/paid`, {})
    expect((await limit(debtor)).body).toMatchObject({ available_insured_amount: "9000.00" })
  })

  test("II 7: credit limit, unknown id, wrong id prefix, bad currency: 400, every field at once", async () => {
    expect(fields(await limit("co-nobody", { currency: "ZZZ" }))).toEqual(["company", "currency"])
    expect((await limit("user-1")).body).toEqual({ company: messages })
    expect(fields(await limit("co-1000", { currency: 7 }))).toEqual(["currency"])
  })

  test("II 8: the credit limits endpoint is rate limited (429): on demand, with Retry-After", async () => {
    const path = "/v1/credit_limits"
    await api.post("/sandbox/faults", { kind: "status", status: 429, retry_after: 60, path, times: 1 })
    const { body, headers, status } = await limit("co-1000")
    expect([status, headers.get("retry-after"), body]).toEqual([429, "60", detail])
    expect((await limit("co-1000")).status).toBe(200)
  })
})
