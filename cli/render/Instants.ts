/** Formats instants for people. */
import * as Instant from "../../core/wire/Instant.ts"

/** `2026-11-21 08:00:12` in UTC. */
export const instant = (millis: number): string => Instant.fromEpochMillis(millis).slice(0, 19).replace("T", " ")
