/** Spanish words of exports. */
import type { Vocabulary } from "./Words.ts"

export const spanish: Vocabulary = {
  code: "es",
  headings: {
    invoice:
      "Número de factura|Nº factura|N.º factura|Nº de factura|Factura|Num. factura|Núm. factura|Número factura|Factura nº",
    document: "Número|Nº|N.º|Núm.|Documento|Nº documento|Número de documento|Referencia|Ref.",
    key: "ID factura|Identificador|ID",
    payment: "Número de pago|Nº de pago|Referencia de pago|Nº cobro|Número de cobro|ID de pago|Cobro|Pago",
    credit: "Número de abono|Nº abono|Abono|Nota de crédito|Número de nota de crédito|Factura rectificativa",
    original: "Factura original|Factura rectificada|Factura de origen|Factura relacionada",
    party:
      "Cliente|Nombre del cliente|Nombre cliente|Razón social|Nombre|Empresa|Deudor|Nombre fiscal|Ordenante|Contacto",
    party_id: "Código cliente|Nº cliente|Código de cliente|Número de cliente|Cód. cliente|Cuenta cliente",
    country: "País|País cliente|Código de país|País de facturación",
    regnum: "Registro mercantil|Número de registro",
    vat: "NIF|CIF|NIF/CIF|NIF-IVA|VAT|CIF/NIF|NIF cliente",
    issued: "Fecha de factura|Fecha factura|Fecha de emisión|Emitida el|Fecha emisión|Fecha de expedición",
    date: "Fecha|Fecha operación|Fecha de operación|Fecha valor|Fecha contable|Fecha del documento",
    paid_on: "Fecha de pago|Fecha de cobro|Pagada el|Cobrada el|Fecha pago|Fecha cobro",
    due: "Vencimiento|Fecha de vencimiento|Fecha vencimiento|Vence|Vence el|Fecha vto.|Fecha vto|Fecha límite|Fecha límite de pago|Pagar antes de|Fecha de pago límite",
    terms: "Condiciones de pago|Plazo de pago|Forma y plazo de pago|Plazo|Días de pago",
    net: "Base imponible|Base|Importe neto|Subtotal|Neto|Total sin IVA|Importe sin IVA|Total base",
    tax: "IVA|Cuota IVA|Importe IVA|Impuestos|Total IVA|Cuota de IVA|Impuesto",
    gross: "Total|Total factura|Importe total|Total con IVA|Importe con IVA|Bruto|Importe factura|Total a pagar",
    amount: "Importe|Monto|Cantidad pagada|Importe cobrado",
    paid: "Pagado|Cobrado|Importe pagado|Total cobrado|Total pagado",
    balance:
      "Pendiente|Abierto|Importe abierto|Saldo|Importe pendiente|Pendiente de pago|Saldo pendiente|Pendiente de cobro|Por cobrar|Resta",
    paid_in: "Haber|Ingreso|Ingresos|Abonos|Entrada",
    paid_out: "Debe|Cargo|Cargos|Gastos|Salida",
    currency: "Moneda|Divisa|Código de moneda",
    status: "Estado|Estado de la factura|Estado de pago|Situación|Estado factura",
    type: "Tipo|Tipo de documento|Tipo documento|Clase|Tipo de factura",
    method: "Forma de pago|Método de pago|Medio de pago",
    text: "Concepto|Descripción|Observaciones|Detalle|Comentario|Movimiento|Asunto",
    code: "Código|Código de motivo",
    reason: "Motivo|Motivo de devolución",
    order: "Número de pedido|Nº pedido|Pedido",
    quantity: "Cantidad|Uds.|Unidades"
  },
  states: {
    draft: "Borrador|Provisional|Presupuesto|Sin enviar",
    open: "Abierta|Enviada|Pendiente|Vencida|Impagada|Emitida|Parcialmente pagada|Pendiente de pago|No pagada|Parcialmente cobrada|Pendiente de cobro|Aprobada|Sin pagar|Contabilizada",
    paid: "Pagada|Cobrada|Saldada|Liquidada|Pagado|Cobrado|Completada",
    void: "Anulada|Cancelada|Eliminada|Anulado|Incobrable"
  },
  types: {
    invoice: "Factura|Factura de venta|Factura emitida|FV|FAC|Factura simplificada",
    credit_note: "Abono|Nota de crédito|Factura rectificativa|Rectificativa|Factura de abono",
    payment: "Pago|Cobro|Recibo",
    refund: "Devolución|Reembolso",
    left_out: "Presupuesto|Albarán|Pedido|Factura de compra|Factura recibida|Proforma|Factura proforma"
  },
  returned: "devolución|devuelto|impagado|retrocesión",
  titles: {
    invoices: "factura|ventas|facturas emitidas",
    payments: "pagos|cobros|extracto|movimientos",
    credit_notes: "abonos|rectificativas|notas de crédito",
    orders: "pedidos"
  }
}
