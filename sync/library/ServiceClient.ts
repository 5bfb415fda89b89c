/**
 * Provides the client for the configured service, and the outside services that connectors may use.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, type Redacted } from "effect"
import { Client } from "../../core/Client.ts"
import * as Undici from "../../core/wire/Undici.ts"
import type { Configuration } from "./config/Configuration.ts"

/** The client for the configured service. */
export const client = (configuration: Configuration) =>
  Layer.unwrap(Effect.map(configuration.service.key, (key) => clientWith(configuration, key)))

/** The same with a given key. */
export const clientWith = ({ service }: Configuration, key: Redacted.Redacted): Layer.Layer<Client> =>
  Client.layer({
    url: service.url,
    key,
    scheme: service.scheme,
    timeout: service.timeout,
    connections: Math.max(32, service.concurrency)
  })

/** What connectors may use: the file system and HTTP. */
export const outside = Layer.merge(NodeFileSystem.layer, Undici.layer)
