/**
 * Counts what happens while connections are read and sent; the daemon serves these counts with its other metrics.
 */
import { Context, Effect, Metric } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

export const calls = counter("daybook_calls_total", "Calls to the service, by operation and how they ended")
export const records = counter("daybook_records_total", "Documents read from the sources")

/** Whether metrics are labelled by connection: with thousands of tenants there would be too many. */
export const PerConnection = Context.Reference<boolean>("daybook/Counters/PerConnection", {
  defaultValue: () => true
})

/** Adds to a counter of a connection. */
export const add = (
  counter: typeof calls,
  connection: string,
  amount: number,
  more: Readonly<Record<string, string>> = {}
): Effect.Effect<void> =>
  Effect.flatMap(PerConnection, (named) =>
    Metric.update(Metric.withAttributes(counter, named ? { connection, ...more } : more), amount)
  )
