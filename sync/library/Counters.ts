/**
 * What is counted while connections are read and sent; the daemon serves it with its other figures.
 */
import { Context, Effect, Metric } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

export const calls = counter("daybook_calls_total", "Calls to the service, by operation and how they ended")
export const records = counter("daybook_records_total", "Documents read from the sources")

/** Whether figures name their connection: with thousands of tenants there would be no end of them. */
export const PerConnection = Context.Reference<boolean>("daybook/Counters/PerConnection", {
  defaultValue: () => true
})

/** Counts what happened in a connection. */
export const add = (
  counter: typeof calls,
  connection: string,
  amount: number,
  more: Readonly<Record<string, string>> = {}
): Effect.Effect<void> =>
  Effect.flatMap(PerConnection, (named) =>
    Metric.update(Metric.withAttributes(counter, named ? { connection, ...more } : more), amount)
  )
