/** What a program sends to a vendor's own address for tokens comes to the vendor's server on this machine. */
import { Agent } from "@effect/platform-node/Undici"

const AWAY = ["https://identity.xero.com", "https://oauth.platform.intuit.com"]

let home: string | undefined
const { request } = Agent.prototype as unknown as { request: (options: Asking) => unknown }

interface Asking {
  readonly origin: string | URL
  readonly path: string
}

Object.assign(Agent.prototype, {
  request(this: Agent, options: Asking) {
    const origin = String(options.origin)
    if (home === undefined || !AWAY.includes(origin)) return request.call(this, options)
    return request.call(this, { ...options, origin: home, path: `/${new URL(origin).host}${options.path}` })
  }
})

/** From now on they lead there. */
export const leadHome = (url: string): void => {
  home = url
}
