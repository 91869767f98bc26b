import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const wholeNumber = z.int().nonnegative()
const dashboardSchema = z.object({
  panels: z.array(
    z.object({
      id: wholeNumber,
      type: z.enum(['row', 'stat', 'timeseries']),
      title: z.string().min(1),
      gridPos: z.strictObject({ x: wholeNumber, y: wholeNumber, w: wholeNumber, h: wholeNumber }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
      targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
})

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), action: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})

export type Query = { readonly where: string; readonly expr: string }

export function dashboardPanels() {
  return dashboardSchema.parse(JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8'))).panels
}

/** Every query of the Grafana dashboard. */
export function dashboardQueries(): readonly Query[] {
  return dashboardPanels().flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr })))
}

export function alertRules() {
  return rulesSchema.parse(parse(readFileSync('deploy/prometheus/rules.yml', 'utf8'))).groups.flatMap(({ rules }) => rules)
}

/** The metrics that a query names. */
export function metricsIn(expr: string): readonly string[] {
  const withoutTexts = expr.replaceAll(/"[^"]*"/g, '""')
  return [
    ...new Set([...withoutTexts.matchAll(/\b(?:sidecar|http|nodejs|process)_[a-z0-9_]+\b(?=[{[)\s]|$)/g)].map(([name]) => name)),
  ].filter((name) => !['http_route', 'http_response_status_code', 'http_request_method'].includes(name))
}
