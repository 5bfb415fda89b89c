/**
 * The variable of a secret is of one place alone: another channel or connection, another spelling of its name, another tenant
 * or another address never gets the value of one that was set before.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { channelOf, variablesOf } from "../../cli/page/AlertForms.ts"
import { connectors } from "../../connectors/list.ts"
import type { Channel } from "../../sync/model/AlertSettings.ts"
import { needsOf } from "../../sync/library/SourceNeeds.ts"
import { isSourceName, sourceInitial } from "../../sync/library/SourceConfiguration.ts"
import { plain, variableFor } from "../../sync/library/VariableNames.ts"

const MAIL = { kind: "email", host: "smtp.acme.example", user: "daybook", from: "a@acme.example", to: "b@acme.example" }

const variableOf = (fields: Readonly<Record<string, string>>, tenant?: string): string => {
  const channel = channelOf(new URLSearchParams({ channel: "office", ...fields }), tenant)
  if (typeof channel === "string") throw new Error(channel)
  return variablesOf(channel.value as Channel).join()
}

describe("the variable of a secret", () => {
  it("is another one for each channel, spelling, kind, address and tenant", () => {
    const hook = { kind: "webhook", url: "https://pager.acme.example/a" }
    const all = [
      variableOf(MAIL),
      ...["Office", "OFFICE", "off-ice", "off_ice", "office-"].map((channel) => variableOf({ ...MAIL, channel })),
      variableOf({ ...MAIL, host: "smtp.evil.example" }),
      variableOf({ ...MAIL, host: "SMTP.acme.example" }),
      variableOf({ ...MAIL, port: "2525" }),
      variableOf({ ...MAIL, security: "none" }),
      variableOf({ ...MAIL, user: "other" }),
      variableOf(MAIL, "acme"),
      variableOf(MAIL, "globex"),
      variableOf({ kind: "slack" }),
      variableOf({ kind: "teams" }),
      variableOf({ kind: "slack" }, "acme"),
      variableOf(hook),
      variableOf({ ...hook, url: "https://pager.acme.example/b" }),
      variableOf({ ...hook, channel: "Office" })
    ]
    assert.strictEqual(new Set(all.map((one) => one.toUpperCase())).size, all.length)
    assert.strictEqual(variableOf(MAIL), variableOf(MAIL), "the same place has the same one")
    for (const one of all) assert.match(one, /^ALERT_[A-Z0-9_]+_(PASSWORD|URL|SECRET)_[0-9A-Z]{16}$/)
  })

  it("is another one for each connection that is entered on the page, of every connector", async () => {
    for (const { load, name } of connectors.filter((one) => isSourceName(one.name))) {
      const connector = await load()
      // It is not entered on the page.
      if (connector.capabilities.onThisMachine === true) continue
      const hasUrl = needsOf(connector, {}).some((one) => one.name === "url")
      const names = async (id: string, host: string, tenant: string) => {
        const answers = { id, set: hasUrl ? { url: host } : {} }
        const found = await Effect.runPromise(
          sourceInitial(name, { answers }, (of, secret, given) => variableFor([of, secret], [tenant, name, given]))
        )
        return found.variables.map((one) => one.name)
      }
      const first = await names(name, "https://a.example", "")
      assert.isAbove(first.length, 0, name)
      const others = [
        ...(await names(`${name}-2`, "https://a.example", "")),
        ...(await names(name.toUpperCase(), "https://a.example", "")),
        ...(await names(name, "https://a.example", "acme")),
        ...(hasUrl ? await names(name, "https://b.example", "") : [])
      ]
      const all = [...first, ...others]
      assert.strictEqual(new Set(all).size, all.length, name)
      for (const one of all) assert.notMatch(one, /_(KEY|SECRET|TOKEN|PASSWORD)$/)
    }
  })

  it("is short for a connection on the command line, unless something else has that name", () => {
    assert.strictEqual(plain(["woocommerce", "key"], new Set()), "WOOCOMMERCE_KEY")
    assert.strictEqual(plain(["woocommerce-2", "key"], new Set()), "WOOCOMMERCE_2_KEY")
    const taken = plain(["woocommerce", "key"], new Set(["WOOCOMMERCE_KEY"]))
    const all = [taken, ...["Shop", "SHOP", "sh_op", "sh--op"].map((id) => plain([id, "key"], new Set()))]
    for (const one of all) assert.match(one, /^[A-Z_]+_KEY_[0-9A-Z]{16}$/)
    assert.strictEqual(new Set(all).size, all.length)
  })
})
