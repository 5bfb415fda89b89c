/**
 * Many tenants, of one account at a source that counts: ten connections with the same settings pull at once from each connector's
 * sample, and together they keep to what the connector declares for one account. What a source counts for each authorisation by
 * itself is not shared: two connections never have one.
 */
import { Effect, Layer, Stream } from "effect"
import { HttpClient } from "effect/http"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Clock, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { connectors } from "../../../connectors/index.ts"
import { simulate, quickly } from "../../../connectors/testing/Simulator.ts"
import { type Subject, tokensOf, vaultOf } from "../../../connectors/testing/Subject.ts"

const TENANTS = 10
const ANSWER_MS = 100
const HEAD = "| connector | counted by | shared by | what |"
const HTTP = connectors.filter(({ name }) => !["einvoice", "files", "ledger", "sql"].includes(name))

/** What a source that counts has seen: when requests came, and the most that were on the way at once. */
class Counter {
  readonly at: Array<number> = []
  most = 0
  #now = 0

  /** Answers each request after a tenth of a second; logins are not counted. */
  readonly layer = (answers: Layer.Layer<HttpClient.HttpClient>, isLogin: (path: string) => boolean) =>
    Layer.effect(
      HttpClient.HttpClient,
      Effect.map(HttpClient.HttpClient, (client) =>
        HttpClient.transform(client, (answer, request) => {
          if (isLogin(new URL(request.url).pathname)) return answer
          return Effect.acquireUseRelease(
            Effect.map(Clock.currentTimeMillis, (now) => {
              this.at.push(now)
              this.#now += 1
              this.most = Math.max(this.most, this.#now)
            }),
            () => Effect.andThen(Effect.sleep(ANSWER_MS), answer),
            () => Effect.sync(() => void (this.#now -= 1))
          )
        })
      )
    ).pipe(Layer.provide(answers))

  perMinute(): number {
    return Math.max(...this.at.map((end) => this.at.filter((one) => one > end - 60_000 && one <= end).length))
  }
}

/** All of these pull at once, each from a source of its own that is counted with the others. */
const together = async (subjects: ReadonlyArray<Subject>): Promise<Counter> => {
  const counter = new Counter()
  const pull = (subject: Subject) => {
    const { connector } = subject
    const settings = Schema.decodeUnknownSync(connector.settings as Schema.Codec<unknown>)(subject.settings)
    const stage = subject.open()
    const surroundings = {
      folder: ".",
      environment: subject.environment ?? {},
      vault: vaultOf(subject.oauth?.held)
    }
    const isLogin = (path: string) => path === tokensOf(subject) || /oauth|\/tokens?$/.test(path)
    return Stream.runDrain(connector.pull(settings, undefined, surroundings)).pipe(
      Effect.provide(Layer.merge(NodeFileSystem.layer, counter.layer(simulate(stage.source!).layer, isLogin))),
      Effect.ensuring(Effect.sync(() => stage.close?.()))
    )
  }
  await Effect.runPromise(
    quickly(Effect.all(subjects.map(pull), { concurrency: "unbounded", discard: true })) as Effect.Effect<void>
  )
  return counter
}

describe("many tenants", () => {
  it("are told on one page by what each source counts, and what is shared", () => {
    const [, below = ""] = readFileSync("connectors/VENDORS.md", "utf8").split(`${HEAD}\n`)
    const said = new Map(
      below
        .split("\n\n")[0]!
        .split("\n")
        .slice(1)
        .flatMap((row) => {
          const [, names = "", by = ""] = row.split("|")
          return [...names.matchAll(/`([a-z]+)`/g)].map(([, name]) => [name!, by.trim()] as const)
        })
    )
    return Promise.all(
      HTTP.map(async ({ load, name }) => {
        const { limits } = (await load()).capabilities
        assert.strictEqual(said.get(name), `${limits?.by}${limits?.app === undefined ? "" : ", app"}`, name)
      })
    )
  })

  for (const { name, sample } of HTTP)
    it(`keep to one account's limits together: ${name}`, async () => {
      const { subject } = await sample()
      const { app, atOnce = 4, by, perMinute = Number.POSITIVE_INFINITY } = subject.connector.capabilities.limits!
      const counter = await together(Array.from({ length: TENANTS }, () => subject))
      assert.isAtLeast(counter.at.length, TENANTS)
      const times = by === "authorisation" ? TENANTS : 1
      assert.isAtMost(counter.most, Math.min(atOnce * times, app?.atOnce ?? Number.POSITIVE_INFINITY))
      assert.isAtMost(counter.perMinute(), perMinute * times)
    })

  it("of other accounts wait for nobody", async () => {
    const { subject } = await connectors.find(({ name }) => name === "lexware")!.sample()
    const [variable = ""] = Object.keys(subject.environment ?? {})
    const one = await together([subject, subject])
    assert.strictEqual(one.most, 1)
    const source = subject.open().source!
    const others = ["sample-secret", "another"].map((key) => ({
      ...subject,
      environment: { [variable]: key },
      open: () => ({
        ...subject.open(),
        source: {
          ...source,
          answer: (...[asked, ...more]: Parameters<typeof source.answer>) =>
            source.answer(
              {
                ...asked,
                headers: { ...asked.headers, authorization: `Bearer ${Object.values(subject.environment!)[0]}` }
              },
              ...more
            )
        }
      })
    }))
    assert.strictEqual((await together(others)).most, 2)
  })
})
