/** What connectors were written against (`connectors/VENDORS.md`) still holds: no day in it has passed, and nothing is missing. */
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { connectors } from "../connectors/index.ts"
import * as OAuth from "../connectors/OAuth.ts"

const PAGE = readFileSync("connectors/VENDORS.md", "utf8")
const HEAD = "| connector | API and version | until | verified | checked | against | again by |"
/** They read what people have, and no vendor's API. */
const OWN = ["einvoice", "files", "ledger", "sql"]
const WAYS = ["live", "recorded", "schema", "docs"]
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The rows below a head, as cells. */
const rows = (head: string) => {
  const [, below = ""] = PAGE.split(`${head}\n`)
  const lines = below.split("\n")
  return lines
    .slice(
      1,
      lines.findIndex((line) => !line.startsWith("|"))
    )
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
}

/**
 * What authorities issue to a new app. Xero: the table of granular scopes (apideck.com/blog/xero-scopes); Intuit: its page of
 * scopes; Sage: its page of authentication; Zoho: the scopes of its OpenAPI documents; FreeAgent and Exact Online have none;
 * Fortnox: some of its page of scopes.
 */
const GRANULAR = ["invoices", "payments", "banktransactions", "manualjournals", "contacts", "settings", "attachments"]
const ISSUED: Readonly<Record<string, ReadonlyArray<string>>> = {
  xero: ["offline_access", "openid", "profile", "email"].concat(
    GRANULAR.flatMap((one) => [`accounting.${one}`, `accounting.${one}.read`])
  ),
  quickbooks: ["com.intuit.quickbooks.accounting", "com.intuit.quickbooks.payment", "openid", "profile", "email"],
  sage: ["readonly", "full_access"],
  zohobooks: ["ZohoBooks.invoices.READ", "ZohoBooks.customerpayments.READ", "ZohoBooks.settings.READ"],
  freeagent: [],
  exactonline: [],
  fortnox: ["companyinformation", "customer", "invoice", "payment", "bookkeeping", "order", "article"]
}

/** An authority that refuses any scope that it does not issue, as Xero does. */
const authority = (issued: ReadonlyArray<string>) => (asked: string) =>
  asked.split(/[ ,]/).every((scope) => scope === "" || issued.includes(scope)) ? "consent" : "invalid_scope"

const namesIn = (cell = "") => [...cell.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!)

const vendors = connectors.map(({ name }) => name).filter((name) => !OWN.includes(name))

describe("the vendors", () => {
  it("have a row for each connector, with how and when it was checked", () => {
    const found = rows(HEAD)
    assert.sameMembers(
      found.map(([name]) => name!.replaceAll("`", "")),
      vendors
    )
    for (const [name, , until, verified, checked, , again] of found) {
      assert.include(WAYS, verified!, name)
      assert.match(checked!, DAY, name)
      assert.match(again!, DAY, name)
      if (until !== "-") assert.match(until!, DAY, name)
    }
  })

  it("serve what is asked for: no day has passed at which one of them ends, or is to be checked again", () => {
    const today = new Date().toISOString().slice(0, 10)
    const passed = rows(HEAD).flatMap(([name, , until = "-", , , , again = ""]) => [
      ...(until !== "-" && until <= today ? [`${name} is no longer served since ${until}`] : []),
      ...(again <= today ? [`${name} was to be checked again by ${again}: read its changelog`] : [])
    ])
    assert.deepStrictEqual(passed, [])
  })

  it("are asked for the version that is written here", () => {
    const versions: Readonly<Record<string, string>> = {
      shopify: "connectors/shopify/Shopify.ts",
      stripe: "connectors/stripe/Stripe.ts",
      gocardless: "connectors/gocardless/GoCardless.ts"
    }
    for (const [name, file] of Object.entries(versions)) {
      const [, api = ""] = rows(HEAD).find(([one]) => one === `\`${name}\``)!
      const [, version = ""] = /`(\d[^`]*)`/.exec(api)!
      assert.include(readFileSync(file, "utf8"), `"${version}"`, name)
    }
    assert.include(readFileSync("connectors/quickbooks/Scan.ts", "utf8"), "MINOR = 75")
  })

  it("have it said whose days they use, and what one account shares", () => {
    for (const head of ["| connector | the days are |", "| connector | counted by | shared by | what |"])
      assert.sameMembers(
        rows(head).flatMap(([names]) => namesIn(names)),
        vendors
      )
  })

  it("have it said on each page how it was verified, since when, and whose days it uses", () => {
    for (const [name, , , way] of rows(HEAD)) {
      const page = readFileSync(`connectors/${name!.replaceAll("`", "")}/README.md`, "utf8").replaceAll("\n", " ")
      assert.match(page, new RegExp(`Verified (by )?${way}\\b[^.;]*\\d{4}-\\d{2}-\\d{2}`), name)
      assert.match(page, /\bdays?\b[^.]*\b(UTC|books|time zone|bank|shop's)\b/i, name)
    }
  })

  it("issue the scopes that are asked for, to an app that is made today", async () => {
    for (const [name, issued] of Object.entries(ISSUED)) {
      const entry = connectors.find((one) => one.name === name)!
      const { authorisation } = await entry.load()
      const page = authorisation!((await entry.sample()).subject.settings as never)
      const attempt = { redirect: "http://localhost:8976/callback", state: "s", verifier: "v" }
      const asked = new URL(OAuth.consent(page, "app", attempt)).searchParams.get("scope") ?? ""
      assert.strictEqual(authority(issued)(asked), "consent", `${name}: ${asked}`)
    }
    assert.strictEqual(authority(ISSUED["xero"]!)("offline_access accounting.transactions.read"), "invalid_scope")
  })

  it("ask people for no more than their pages say: each scope is on the connector's page", async () => {
    for (const { load, name, sample } of connectors) {
      const loaded = await load()
      const scopes = loaded.authorisation?.((await sample()).subject.settings as never).scopes ?? []
      const page = readFileSync(`connectors/${name}/README.md`, "utf8")
      for (const scope of scopes.flatMap((one) => one.split(/[ ,]/)))
        assert.include(page, `\`${scope}\``, `${name} asks for ${scope}`)
      if (loaded.authorisation !== undefined)
        assert.match(page, /[Ss]cope|permission/, `${name} says nothing of its scopes`)
    }
  })
})
