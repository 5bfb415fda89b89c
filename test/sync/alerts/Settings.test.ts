/** Alerts in a configuration: what is accepted, and what is said of what is not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decode } from "../../../sync/library/config/Configuration.ts"
import { placed } from "../../../sync/library/config/JsonText.ts"
import { configuration, NOWHERE } from "../../support/Cli.ts"

const EMAIL = { host: "smtp.acme.example", from: "daybook@acme.example", to: ["Ops <ops@acme.example>"] }
const OPS = { email: EMAIL }

const decoded = (alerts: unknown): Promise<unknown> =>
  Effect.runPromise(
    Effect.match(decode({ ...configuration(NOWHERE), alerts }, { file: "c.json", folder: ".", environment: {} }), {
      onSuccess: ({ alerts }) => alerts,
      onFailure: ({ problems }) => problems
    })
  )

const MISTAKES: ReadonlyArray<readonly [string, unknown, string | RegExp]> = [
  ["no channels", { channels: {} }, /^alerts\.channels: there is none; add one/],
  [
    "a channel of no kind",
    { channels: { ops: {} } },
    'alerts.channels.ops: needs "email" or "slack" or "teams" or "webhook"'
  ],
  [
    "a setting of a channel, misspelt",
    { channels: { ops: { email: { ...EMAIL, hots: "x" } } } },
    'alerts.channels.ops.email.hots: is not a known setting; did you mean "host"?'
  ],
  [
    "a password that is written out",
    { channels: { ops: { email: { ...EMAIL, user: "u", password: "pw" } } } },
    /^alerts\.channels\.ops\.email\.password: a secret is not written here; name the environment variable/
  ],
  [
    "a password without a user",
    { channels: { ops: { email: { ...EMAIL, password: { env: "P" } } } } },
    "alerts.channels.ops.email.user: is missing; give user and password, or neither"
  ],
  [
    "a password in the clear",
    { channels: { ops: { email: { ...EMAIL, user: "u", password: { env: "P" }, security: "none" } } } },
    /^alerts\.channels\.ops\.email\.security: none would send the password in the clear/
  ],
  [
    "recipients that are none",
    { channels: { ops: { email: { ...EMAIL, to: ["ops\r\nBcc: x@y.example"] } } } },
    'alerts.channels.ops.email.to[0]: write an e-mail address, like "ops@acme.example"'
  ],
  [
    "a webhook in the clear",
    { channels: { ops: { webhook: { url: "http://ops.example/x", secret: { env: "S" } } } } },
    /^alerts\.channels\.ops\.webhook\.url: http:\/\/ops\.example\/x would send the key in the clear/
  ],
  [
    "a kind that is none",
    { channels: { ops: OPS }, rules: [{ on: "broken" }] },
    /^alerts\.rules\[0\]\.on: write one of "failed", "authorisation"/
  ],
  [
    "a channel that is not there",
    { channels: { ops: OPS }, rules: [{ on: "failed", to: ["osp"] }] },
    'alerts.rules[0].to[0]: there is no channel "osp"; did you mean "ops"?'
  ],
  [
    "a connection that is not there",
    { channels: { ops: OPS }, rules: [{ on: "failed", connections: ["boks"] }] },
    /^alerts\.rules\[0\]\.connections\[0\]: .*books/
  ],
  [
    "a setting of another kind",
    { channels: { ops: OPS }, rules: [{ on: "attention", times: 3 }] },
    'alerts.rules[0].times: applies to "failed" only; remove it'
  ],
  [
    "an hour that is none",
    { channels: { ops: OPS }, rules: [{ on: "failed", digest: { at: "8 am" } }] },
    'alerts.rules[0].digest.at: write a time of day, like "08:00"'
  ],
  [
    "a zone that is none",
    { channels: { ops: OPS }, quiet: { from: "22:00", to: "07:00", zone: "Europe/Atlantis" } },
    /^alerts\.quiet\.zone: there is no time zone "Europe\/Atlantis"/
  ],
  [
    "quiet hours without an end",
    { channels: { ops: OPS }, quiet: { from: "22:00", to: "22:00" } },
    /^alerts\.quiet\.to: quiet hours that end as they begin are none/
  ],
  [
    "a size without a unit",
    { channels: { ops: OPS }, rules: [{ on: "disk", free: "10%" }] },
    'alerts.rules[0].free: write how much is to be free, like "2 GB" or "500 MB"'
  ]
]

describe("alerts in a configuration", () => {
  for (const [what, alerts, said] of MISTAKES)
    it(`${what}: says so`, async () => {
      const problems = await decoded(alerts)
      assert.isArray(problems)
      const [first = "", ...rest] = problems as ReadonlyArray<string>
      if (typeof said === "string") assert.strictEqual(first, said)
      else assert.match(first, said)
      assert.deepStrictEqual(rest, [])
    })

  it("are said with the line on which they stand, and what is missing with the line of what it is missing from", async () => {
    const text = `{
  "alerts": {
    "channels": {
      "ops": { "email": { "host": "x", "from": "a@b.example",
                          "to": ["nobody"] } },
      "chat": {
        "webhook": { "url": "https://ops.example" }
      }
    }
  }
}`
    const problems = await decoded(JSON.parse(text).alerts)
    assert.deepStrictEqual(placed(text, problems as ReadonlyArray<string>), [
      'line 5: alerts.channels.ops.email.to[0]: write an e-mail address, like "ops@acme.example"',
      "line 7: alerts.channels.chat.webhook.secret: is missing"
    ])
    assert.deepStrictEqual(placed('{ "alerts": 1 }', ["alerts: is wrong"]), ["alerts: is wrong"])
    const others = ["connections: the list is empty", "nothing: is there", "no place at all"]
    assert.deepStrictEqual(placed('{\n"connections": [] }', others), [`line 2: ${others[0]}`, ...others.slice(1)])
  })

  it("may leave out everything but a channel, or say all of it", async () => {
    assert.deepStrictEqual(await decoded({ channels: { ops: OPS } }), { channels: { ops: OPS } })
    const whole = {
      channels: { ops: OPS, chat: { slack: { url: { env: "SLACK" } } }, team: { teams: { url: { env: "TEAMS" } } } },
      quiet: { from: "22:00", to: "07:00", zone: "Europe/London" },
      page: "https://daybook.acme.example",
      rules: [
        { on: "deadline", days: [7, 1], to: ["ops", "chat"], connections: ["books"], quiet: false },
        { on: "clock", seconds: 60, digest: { at: "08:00" } }
      ]
    }
    assert.deepStrictEqual(await decoded(whole), whole)
  })
})
