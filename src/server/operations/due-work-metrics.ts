import { Gauge, type Registry } from 'prom-client'
import type { Log } from '../../kernel/log.ts'
import type { DueFigures } from '../../ports/due/due-list.ts'
import type { DueWork } from '../../ports/due/due-work.ts'

/** Adds to the registry what waits in the lists of due work, and since when. */
export function registerDueWorkMetrics(
  registry: Registry,
  { dueWork, log }: { readonly dueWork: Pick<DueWork, 'figures'>; readonly log: Log },
): void {
  const read = async (gauge: Gauge, set: (list: string, figures: DueFigures) => void): Promise<void> => {
    gauge.reset()
    try {
      for (const [list, figures] of Object.entries(await dueWork.figures())) set(list, figures)
    } catch (error) {
      log.warn({ err: error }, 'metrics.due-work-failed')
    }
  }
  const items: Gauge = new Gauge({
    name: 'sidecar_due_work_items',
    help: 'Items of a list of work whose time has come (`due`), or which have failed and are tried again (`failing`)',
    labelNames: ['list', 'state'],
    registers: [registry],
    collect: () =>
      read(items, (list, { due, failing }) => {
        items.set({ list, state: 'due' }, due)
        items.set({ list, state: 'failing' }, failing)
      }),
  })
  const oldest: Gauge = new Gauge({
    name: 'sidecar_due_work_oldest_seconds',
    help: 'Since when the oldest item of a list of work is due, or fails',
    labelNames: ['list'],
    registers: [registry],
    collect: () => read(oldest, (list, { oldestMs }) => oldest.set({ list }, oldestMs / 1_000)),
  })
}
