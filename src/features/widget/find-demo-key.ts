import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import { type CreateKeyPorts, createWidgetKey } from './create-widget-key.ts'

/** The sandbox itself; no member is signed in on the demo page. */
const demoPrincipal = { userId: 'sandbox', memberId: 'sandbox', firstName: 'Sandbox', lastName: '', email: '' } as const

export type DemoPorts = CreateKeyPorts & Pick<Ports, 'workspaces'>

/** A valid widget key of the workspace for pages of this origin, created if there is none; and the hospital's name. Errors: NOT_FOUND. */
export async function findDemoKey(
  ports: DemoPorts,
  { workspace, origin }: { readonly workspace: string; readonly origin: string },
): Promise<{ readonly key: string; readonly hospitalName: string }> {
  const workspaceId = await ports.workspaces.idOf(workspace)
  if (workspaceId === null) throw new AppError('NOT_FOUND', { detail: `There is no workspace ${workspace}` })
  const keys = await ports.widgetKeys.list(workspaceId)
  const known = keys.find(({ origins, validUntil }) => validUntil === null && origins.includes(origin))
  const actor = { principal: { ...demoPrincipal, workspaceId }, clientAddress: '127.0.0.1' }
  const { key } = known ?? (await createWidgetKey(ports, actor, { origins: [origin] }))
  const { brand } = await ports.configuration.read(workspaceId, 'theme')
  return { key, hospitalName: brand.hospitalName ?? workspace }
}
