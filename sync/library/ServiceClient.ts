/**
 * The service that a configuration names, and what connectors may use of the world outside.
 */
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer, type Redacted } from "effect"
import { Client } from "../../core/Client.ts"
import * as Undici from "../../core/wire/Undici.ts"
import type { Configuration } from "./config/Configuration.ts"

/** The service that the configuration names. */
export const client = (configuration: Configuration) =>
  Layer.unwrap(Effect.map(configuration.service.key, (key) => clientWith(configuration, key)))

/** The same with its key in hand. */
export const clientWith = ({ service }: Configuration, key: Redacted.Redacted): Layer.Layer<Client> =>
  Client.layer({
    url: service.url,
    key,
    scheme: service.scheme,
    timeout: service.timeout,
    connections: Math.max(32, service.concurrency)
  })

/** What connectors may use. */
export const outside = Layer.merge(NodeFileSystem.layer, Undici.layer)
