/** A configuration that is changed setting by setting: the rest stays letter for letter, and nothing unusable is written. */
import { variableFor } from "../../../sync/library/VariableNames.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { channelOf, ruleOf, withChannel, withoutChannel, withoutRule, withRule } from "../../../cli/page/AlertForms.ts"
import { everyOf, fieldsOf } from "../../../cli/page/ConnectionSetup.ts"
import { isDraft, uploadedIn } from "../../../cli/page/SetupFiles.ts"
import { changeConfig, digestOf, withEntry, withSetting } from "../../../sync/library/config/ChangeConfig.ts"
import { atEnd } from "../../support/AtEnd.ts"
import { remove, temporary } from "../../support/Built.ts"

const TABS = `{\r\n\t"service":  { "url": "https://api.example.com", "key": { "env": "SERVICE_KEY" } },\r\n\t"connections": [ {
\t  "id": "books", "source": { "connector": "files", "invoices": { "path": "a.csv", "columns": { "id": "No", "customer": "Who", "issued": "On", "due": "Due", "gross": "Sum" }, "currency": "GBP" } },
\t  "owner": { "organisation": { "unique_id": "acme", "name": "Acme", "registered": "2024-01-01T00:00:00Z" } }
\t} ]\r\n}\r\n`

const inFile = (text: string, name = "daybook.config.json") => {
  const folder = temporary()
  atEnd(() => remove(folder))
  const file = join(folder, name)
  writeFileSync(file, text)
  return { file, folder, text: () => readFileSync(file, "utf8") }
}

const change = (file: string, edit: (text: string) => string, seen?: string) =>
  Effect.map(Effect.result(changeConfig(file, { edit, environment: {}, seen })), (done) =>
    done._tag === "Failure" ? done.failure.message : undefined
  )

const every = (value: unknown) => (text: string) => withSetting(text, ["connections", 0, "every"], value)

describe("a configuration that is changed", () => {
  it.effect("keeps what stood around the setting, and can be taken back", () =>
    Effect.gen(function* () {
      const { file, folder, text } = inFile(TABS)
      assert.isUndefined(yield* change(file, every("1 hour")))
      assert.include(text(), '"every": "1 hour"')
      assert.strictEqual(text().replace(/,\s+"every": "1 hour"/, ""), TABS)
      assert.isUndefined(yield* change(file, every(undefined)))
      assert.strictEqual(text(), TABS)
      assert.deepStrictEqual(readdirSync(folder), ["daybook.config.json"])
    })
  )

  it.effect("is as it was where the change cannot be used, or somebody else changed it", () =>
    Effect.gen(function* () {
      const { file, text } = inFile(TABS)
      assert.include((yield* change(file, every("often"))) ?? "", "connections[0].every: write how often")
      assert.include((yield* change(file, every("1 hour"), digestOf("other"))) ?? "", "changed meanwhile")
      const moved = (before: string) => {
        writeFileSync(file, `${before} `)
        return every("1 hour")(before)
      }
      assert.include((yield* change(file, moved)) ?? "", "changed meanwhile")
      assert.strictEqual(text(), `${TABS} `)
      const program = inFile("export default {}", "daybook.config.ts")
      assert.include((yield* change(program.file, every("1 hour"))) ?? "", "change it in an editor")
    })
  )

  it("has channels and rules as forms say them, with secrets by names that the channel makes", () => {
    const posted = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields)
    const mail = {
      channel: "office",
      kind: "email",
      host: "smtp.acme.example",
      user: "daybook",
      from: "a@acme.example"
    }
    const channel = channelOf(posted({ ...mail, to: "b@acme.example, c@acme.example", password: "hunter2" }))
    if (typeof channel === "string") throw new Error(channel)
    const place = ["", "email", "smtp.acme.example", "", "", "daybook"]
    assert.deepStrictEqual(channel.value, {
      email: {
        host: "smtp.acme.example",
        user: "daybook",
        password: { env: variableFor(["ALERT", "office", "PASSWORD"], place) },
        from: "a@acme.example",
        to: ["b@acme.example", "c@acme.example"]
      }
    })
    assert.isString(channelOf(posted({ ...mail, channel: "../office" })))
    assert.deepStrictEqual(channelOf(posted({ channel: "x", kind: "slack", url: "SERVICE_KEY" })), {
      name: "x",
      value: { slack: { url: { env: variableFor(["ALERT", "x", "URL"], ["", "slack"]) } } }
    })
    const rule = ruleOf(posted({ on: "failed", times: "5", days: "3", at: "08:00", zone: "Europe/London" }))
    assert.deepStrictEqual(rule, { on: "failed", times: 5, digest: { at: "08:00", zone: "Europe/London" } })
    const both = withRule(rule)(withChannel("office", channel.value)("{}"))
    assert.deepStrictEqual(JSON.parse(both), { alerts: { channels: { office: channel.value }, rules: [rule] } })
    assert.deepStrictEqual(JSON.parse(withoutChannel("office")(withoutRule(0)(both))), {})
    assert.throws(() => withoutRule(1)(both), /no longer exists/)
    assert.throws(() => withChannel("office", {})(both), /already/)
  })

  it("has a schedule as the form shows it", () => {
    for (const one of [undefined, "1 hour", "15 minutes", "10 seconds", { cron: "0 6 * * *", zone: "Europe/Paris" }])
      assert.deepStrictEqual(everyOf(fieldsOf(one === undefined ? {} : { every: one })), one)
  })

  it("names uploaded files within their own folder only", () => {
    const own = "connected/setup-0123456789abcdef/a.csv"
    assert.deepStrictEqual(
      uploadedIn({ invoices: { path: own }, payments: [{ path: `../${own}` }, { path: "b.csv" }] }),
      [own]
    )
    assert.isFalse(isDraft("../0123456789abcd"))
  })

  it("puts in what is new in the manner of what is there", () => {
    const lines = '{\n    "list": [\n        { "id": 1 }\n    ],\n    "none": []\n}\n'
    assert.strictEqual(
      withEntry(lines, ["list"], { id: 2 }),
      lines.replace('{ "id": 1 }', '{ "id": 1 },\n        {\n            "id": 2\n        }')
    )
    assert.strictEqual(withSetting(lines, ["list", 0, "on"], true), lines.replace("1 }", '1, "on": true }'))
    assert.strictEqual(withEntry(lines, ["none"], 2), lines.replace("[]", "[\n        2\n    ]"))
    assert.strictEqual(withSetting("{}", ["a", "b"], 1), '{\n  "a": {\n    "b": 1\n  }\n}')
  })
})
