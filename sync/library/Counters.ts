/**
 * What is counted while connections are read and sent; the daemon serves it with its other figures.
 */
import { Metric } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

export const calls = counter("daybook_calls_total", "Calls to the service, by operation and how they ended")
export const records = counter("daybook_records_total", "Documents read from the sources")
