/**
 * The first sync, which a person waits for: invoices with payments, from a file, from Xero's recorded shapes and from Shopify's, every
 * answer of the source and of the service 50 ms late. The baseline is what these allow: the source's pages one after the other (and no
 * more of them in a minute than its limit), then the calls, so many at once. Also how long it was silent, and how well the time left
 * was told: ten seconds after the first call, or after a third of the calls where they take less.
 */
import { join } from "node:path"
import { Effect, Layer, Result } from "effect"
import { HttpClient } from "effect/http"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Steps from "../../cli/Steps.ts"
import * as Output from "../../cli/render/Output.ts"
import type { Connector } from "../../connectors/Connector.ts"
import { files } from "../../connectors/files/Files.ts"
import { subject as shopOfSample } from "../../connectors/shopify/Sample.ts"
import { simulate } from "../../connectors/testing/Simulator.ts"
import { type Subject, vaultOf } from "../../connectors/testing/Subject.ts"
import { subject as xeroOfSample } from "../../connectors/xero/Sample.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { type Configuration, decodeWith } from "../../sync/library/config/Configuration.ts"
import { Database } from "../../sync/state/Database.ts"
import { reset } from "./Apply.ts"
import { atMost, type Figure, seconds, shown } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { run, serve, timed } from "./Process.ts"
import { writePayments } from "./Reading.ts"

const LATENCY = 0.05

const SUBJECTS: Readonly<Record<string, Subject>> = { xero: xeroOfSample, shopify: shopOfSample }

export interface FirstSyncTimes {
  readonly seconds: number
  /** Requests to the source, and calls to the service. */
  readonly asked: number
  readonly calls: number
  readonly atOnce: number
  /** The longest time without a word. */
  readonly silent: number
  /** What was told of the time left, to what it was; undefined where too little was sent. */
  readonly told: number | undefined
}

/** With a vault of its own, as the sample has it. */
const withVault = ({ connector, oauth }: Subject): Connector => {
  const vault = vaultOf(oauth?.held)
  return { ...connector, pull: (settings, after, context) => connector.pull(settings, after, { ...context, vault }) }
}

const configuration = (kind: string, folder: string, url: string): Configuration => {
  const { connections, service } = Invoices.config(join(folder, "invoices.csv"), url)
  const [books] = connections
  const subject = SUBJECTS[kind]
  const payments = {
    path: join(folder, "payments.csv"),
    columns: { id: "No", invoice: "Invoice", date: "Day", amount: "Amount" },
    currency: "GBP"
  }
  const source =
    subject === undefined
      ? { ...books!.source, payments }
      : { connector: subject.connector.name, ...(subject.settings as object) }
  return Result.getOrThrow(
    decodeWith(
      { service, connections: [{ ...books, source }] },
      {
        file: "daybook.config.json",
        folder,
        environment: { ...subject?.environment, DAYBOOK_KEY: "sandbox-key" },
        connectors: new Map([["files", files], ...(subject === undefined ? [] : [[kind, withVault(subject)] as const])])
      }
    )
  )
}

/** A source whose answers are late. */
const sourceOf = (kind: string, count: number) => {
  const subject = SUBJECTS[kind]
  if (subject === undefined) return { layer: ServiceClient.outside, asked: () => 0 }
  const stage = subject.open()
  stage.grow?.(count)
  const { asked, layer } = simulate(stage.source!, { size: subject.connector.capabilities.limits?.page ?? 100 })
  const late = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => HttpClient.transform(client, Effect.delay(LATENCY * 1000)))
  )
  return { layer: Layer.merge(NodeFileSystem.layer, Layer.provide(late, layer)), asked: () => asked.length }
}

/** What is written to a terminal from now on, with its time. */
const heard = (now: () => number): ReadonlyArray<{ readonly at: number; readonly text: string }> => {
  const words: Array<{ readonly at: number; readonly text: string }> = []
  for (const stream of [process.stdout, process.stderr])
    stream.write = (text: Uint8Array | string) => {
      words.push({ at: now(), text: String(text) })
      return true
    }
  return words
}

/** Side: the first sync. */
export const sync = async (kind: string, folder: string, url: string, count: number): Promise<FirstSyncTimes> => {
  const config = configuration(kind, folder, url)
  const source = sourceOf(kind, count)
  const now = () => performance.now() / 1000
  const words = heard(now)
  const out = Output.make({ json: false, quiet: false, color: false, progress: true, width: 80 })
  const began = now()
  const taken = await timed(async () => {
    const { readings, report } = await Effect.runPromise(
      Steps.sync(config, out, { firstSync: "send", allow: [] }, Effect.void).pipe(
        Effect.provide(
          Layer.mergeAll(
            Database.layer({ file: join(folder, `${kind}.db`), mode: "write" }),
            source.layer,
            ServiceClient.client(config)
          )
        )
      )
    )
    const [reading] = readings
    if (reading?.result._tag !== "Success") throw new Error(JSON.stringify(reading))
    if (report.stopped !== undefined) throw new Error(JSON.stringify(report))
  })
  const sent = words.filter(({ text }) => / of [\d,]+ calls(?!.*\(for)/.test(text))
  const [first, last] = [sent[0]?.at ?? began, sent.at(-1)?.at ?? began]
  const looked = sent.find(({ at }) => at - first > Math.min(10, (last - first) / 3))
  const left = Number(/about (\d+) s left/.exec(looked?.text ?? "")?.[1])
  const times = [began, ...words.map(({ at }) => at), began + taken]
  return {
    seconds: taken,
    asked: source.asked(),
    calls: Number(/of ([\d,]+) calls/.exec(sent[0]?.text ?? "")?.[1]?.replaceAll(",", "") ?? 0),
    atOnce: config.service.concurrency,
    silent: Math.max(...times.slice(1).map((at, n) => at - times[n]!)),
    told: looked === undefined || Number.isNaN(left) ? undefined : left / (last - looked.at)
  }
}

/** Seconds in which a source answers so many requests: at its latency, and within its limit. */
const reading = (kind: string, asked: number): number => {
  const perMinute = SUBJECTS[kind]?.connector.capabilities.limits?.perMinute ?? Number.POSITIVE_INFINITY
  return Math.max(asked * LATENCY, Math.floor((asked - 1) / perMinute) * 60)
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const count = 10_000 * scale
  const apply = new URL("Apply.ts", import.meta.url).href
  const sandbox = await serve<string>(apply, "sandbox")
  const found: Array<Figure> = []
  try {
    await Invoices.write(join(folder, "invoices.csv"), count)
    await writePayments(join(folder, "invoices.csv"), join(folder, "payments.csv"))
    for (const kind of ["file", "xero", "shopify"]) {
      await reset(sandbox.result, LATENCY)
      const alone = (await run<number>(apply, "lone", sandbox.result)).result
      const { result } = await run<FirstSyncTimes>(import.meta.url, "sync", kind, folder, sandbox.result, count)
      const { asked, atOnce, calls, silent, told } = result
      const allowed = reading(kind, asked) + (calls / atOnce) * alone
      const name = `first sync: ${count.toLocaleString("en")} from ${kind}`
      found.push(
        atMost(`${name}; what source and service allow`, 1.1, {
          ours: seconds(result.seconds),
          baseline: seconds(allowed),
          ratio: result.seconds / allowed,
          note: `${asked} requests to the source, ${calls.toLocaleString("en")} calls, ${atOnce} at once, each ${seconds(alone)}`
        }),
        atMost(`${name}, longest silence; 2 s`, 1, {
          ours: seconds(silent),
          baseline: seconds(2),
          ratio: silent / 2
        })
      )
      if (told !== undefined)
        found.push(
          shown(`${name}, the time left that was told; what it was`, {
            ours: told.toFixed(2),
            baseline: "1",
            ratio: told
          })
        )
    }
  } finally {
    sandbox.stop()
  }
  return found
}
