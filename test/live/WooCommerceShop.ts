/**
 * A real WooCommerce in Debian's WordPress, with MariaDB and PHP's own server, with one product, and what its clerk does over
 * its REST API. WordPress and the plugin are copied into a folder of their own.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, mariadb, must, PASSWORD, start } from "../support/Servers.ts"
import { asking, type Data, ready } from "./Live.ts"

/** WooCommerce takes a key over TLS alone: this says that there is a proxy in front. */
const configuration = (port: number) => `<?php
define('DB_NAME', 'woocommerce');
define('DB_USER', 'daybook');
define('DB_PASSWORD', '${PASSWORD}');
define('DB_HOST', '127.0.0.1:${port}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$_SERVER['HTTPS'] = 'on';
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`

const INSTALL = `<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = $argv[2];
$_SERVER['REQUEST_URI'] = '/';
function wp_mail() { return true; }
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Shop', 'clerk', 'clerk@example.com', false, '', bin2hex(random_bytes(16)));
update_option('permalink_structure', '/%postname%/');
update_option('active_plugins', ['woocommerce/woocommerce.php']);
`

/** A key as the page "REST API" of WooCommerce's settings makes it. */
const FURNISH = `<?php
$_SERVER['HTTP_HOST'] = $argv[2];
$_SERVER['REQUEST_URI'] = '/';
define('WP_ADMIN', true);
function wp_mail() { return true; }
require $argv[1] . '/wp-load.php';
WC_Install::install();
update_option('woocommerce_currency', 'EUR');
update_option('woocommerce_calc_taxes', 'yes');
update_option('woocommerce_default_country', 'AT');
update_option('woocommerce_tax_based_on', 'base');
foreach (['read_write', 'read'] as $permissions) {
  $key = 'ck_' . wc_rand_hash();
  $secret = 'cs_' . wc_rand_hash();
  $wpdb->insert($wpdb->prefix . 'woocommerce_api_keys', ['user_id' => 1, 'description' => $permissions,
    'permissions' => $permissions, 'consumer_key' => wc_api_hash($key), 'consumer_secret' => $secret,
    'truncated_key' => substr($key, -7)]);
  $keys[] = [$key, $secret];
}
echo "\\n", json_encode(['version' => WC()->version, 'wordpress' => get_bloginfo('version'), 'keys' => $keys]);
`

/** Every path is WordPress's, without files beside it. */
const ROUTER = `<?php
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
`

export interface Sold {
  readonly id: number
  readonly total: number
  /** Its only line. */
  readonly line: number
}

type Ask = (method: string, path: string, body?: object) => Promise<Data>

const minorOf = (text: string): number => Math.round(Number(text) * 100)

/** A product for 20.00 without tax, and a tax of 20 % on it and on delivery. */
const furnish = async (ask: Ask) => {
  const { id: rate } = await ask("POST", "/taxes", { country: "AT", rate: "20", name: "VAT", shipping: true })
  const { id: product } = await ask("POST", "/products", { name: "Tea &amp; more", regular_price: "20.00" })
  return { rate: String(rate), product }
}

const clerk = (ask: Ask, { product, rate }: Awaited<ReturnType<typeof furnish>>) => {
  const meta = (key: string, value: unknown) => ({ meta_data: [{ key, value }] })
  const parcels = new Map<number, ReadonlyArray<object>>()
  let gift = 0
  const refund = (order: Sold, minor: number, lines: ReadonlyArray<object> = []) =>
    ask("POST", `/orders/${order.id}/refunds`, {
      amount: (minor / 100).toFixed(2),
      api_refund: false,
      line_items: lines
    })
  return {
    /** Ordered, and paid with what `pay` answers: it is given the order's number and total. */
    sell: async (pieces: number, pay: (number: string, total: number) => Promise<string>): Promise<Sold> => {
      const billing = { first_name: "Ann", last_name: "Mill", email: "ann@example.com", country: "AT", city: "Wien" }
      const made = await ask("POST", "/orders", {
        status: "processing",
        payment_method: "invoice",
        billing,
        line_items: [{ product_id: product, quantity: pieces }],
        shipping_lines: [{ method_id: "flat_rate", method_title: "Parcel", total: "6.00" }],
        fee_lines: gift === 0 ? [] : [{ name: "Gift card", total: (-gift / 100).toFixed(2), tax_status: "none" }]
      })
      const total = minorOf(made.total)
      await ask("PUT", `/orders/${made.id}`, meta("deferred_payment", await pay(String(made.number), total)))
      return { id: made.id, total, line: made.line_items[0].id }
    },
    /** A parcel, in the metadata of the order as the plugin "Shipment Tracking" stores it. */
    parcel: async ({ id, line }: Sold, quantity: number) => {
      const known = parcels.get(id) ?? []
      const value = [
        ...known,
        {
          tracking_id: `t${known.length + 1}`,
          tracking_number: `JD0${known.length + 1}`,
          tracking_provider: "DHL",
          date_shipped: `${Math.floor(Date.now() / 86_400_000) * 86_400}`,
          products_list: [{ product: String(product), item_id: String(line), qty: String(quantity) }]
        }
      ]
      parcels.set(id, value)
      await ask("PUT", `/orders/${id}`, meta("_wc_shipment_tracking_items", value))
    },
    /** A part of the next orders is paid by a gift card, less the tax that WooCommerce takes off with it. */
    gift: (minor: number) => void (gift = minor),
    paysBy: ({ id }: Sold, payment_method: string) => ask("PUT", `/orders/${id}`, { payment_method }),
    becomes: ({ id }: Sold, status: string) => ask("PUT", `/orders/${id}`, { status }),
    /** Pieces are given back or cancelled, at their price. */
    refundPieces: (order: Sold, pieces: number, more = 0) =>
      refund(order, pieces * 2400 + more, [
        {
          id: String(order.line),
          quantity: pieces,
          refund_total: pieces * 20,
          refund_tax: [{ id: rate, refund_total: pieces * 4 }]
        }
      ]),
    /** A refund of 0.00 of a piece. */
    exchange: (order: Sold) => refund(order, 0, [{ id: String(order.line), quantity: 1, refund_total: 0 }]),
    /** An amount alone, without pieces. */
    refund,
    moved: async ({ id }: Sold): Promise<{ readonly updatedAt: string; readonly state: string }> => {
      const { date_modified_gmt, status } = await ask("GET", `/orders/${id}`)
      return { updatedAt: date_modified_gmt, state: status }
    }
  }
}

/** Copies WordPress and the plugin, and installs both into a new database. */
const install = async (folder: string, wordpress: string, plugin: string, host: string, database: number) => {
  const site = join(folder, "site")
  cpSync(wordpress, site, { recursive: true, filter: (path) => !path.endsWith("wp-config.php") })
  rmSync(join(site, "wp-content"), { recursive: true, force: true })
  cpSync(plugin, join(site, "wp-content", "plugins", "woocommerce"), { recursive: true })
  writeFileSync(join(site, "wp-config.php"), configuration(database))
  const php = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return [path, site, host]
  }
  must("php", php("install.php", INSTALL), {})
  return { site, furnish: php("furnish.php", FURNISH), router: php("router.php", ROUTER)[0] ?? "" }
}

/** Started, furnished, and gone with its database once it is stopped. */
export const woocommerce = async (wordpress: string, plugin: string) => {
  for (const file of [join(wordpress, "wp-load.php"), join(plugin, "woocommerce.php")])
    if (!existsSync(file)) throw new Error(`there is no ${file}`)
  const database = await mariadb()
  if (typeof database === "string") throw new Error(database)
  const { createConnection } = (await import("mysql2/promise")).default
  const connection = await createConnection(`${database.url}/mysql`)
  await connection.query("CREATE DATABASE woocommerce")
  await connection.end()
  const folder = mkdtempSync(join(tmpdir(), "daybook-woocommerce-"))
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  const { furnish: made, router, site } = await install(folder, wordpress, plugin, host, database.port)
  const { stdout } = spawnSync("php", made, { encoding: "utf8" })
  const { keys, version, wordpress: of } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Data
  console.log(`WooCommerce ${version} in WordPress ${of}`)
  const args = ["-d", "display_errors=0", "-S", host, "-t", site, router]
  const { child, said, stop } = start("php", args, {}, "SIGTERM")
  const authorization = (pair: ReadonlyArray<string>) => `Basic ${Buffer.from(pair.join(":")).toString("base64")}`
  const bare = asking(`http://${host}/wp-json/wc/v3`)
  const ask: Ask = (method, path, body) => bare(method, path, body, { authorization: authorization(keys[0]) })
  await ready(child, said, () => ask("GET", "/orders"))
  return {
    url: `http://${host}`,
    /** Its permission is only to read. */
    key: String(keys[1][0]),
    secret: String(keys[1][1]),
    clerk: clerk(ask, await furnish(ask)),
    stop: async () => {
      await stop(folder)
      await database.stop()
    }
  }
}
