import type { Principal } from '../access/principal.ts'
import { AppError } from '../kernel/errors.ts'
import type { DemoPage } from '../server/widget/demo/handler.ts'
import { createCreateWidgetKey } from '../features/widget/create-widget-key.ts'
import type { WidgetKeys } from '../features/widget/widget-keys.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

type DemoParts = { readonly infrastructure: Infrastructure; readonly ports: WiredPorts; readonly keys: WidgetKeys }

/** The page that shows a workspace's widget. Its keys are made as a manager would make them, by the first visit from each origin. */
export function createDemoPage(workspace: string, { infrastructure: { audit, clock }, ports, keys }: DemoParts): DemoPage {
  const { configuration, workspaces } = ports
  const createKey = createCreateWidgetKey({ keys, configuration, audit, clock })

  const workspaceId = async (): Promise<string> => {
    const id = await workspaces.idOf(workspace)
    if (id === null) throw new AppError('NOT_FOUND', { detail: `There is no workspace ${workspace}` })
    return id
  }
  return {
    async keyFor(origin) {
      const id = await workspaceId()
      const standing = await keys.list(id)
      const found = standing.find(({ origins, validUntil }) => validUntil === null && origins.includes(origin))
      const actor = { principal: { ...demoPrincipal, workspaceId: id, workspace }, clientAddress: '127.0.0.1' }
      return (found ?? (await createKey(actor, { origins: [origin] }))).key
    },
    hospitalName: async () => (await configuration.read(await workspaceId(), 'theme')).brand.hospitalName ?? workspace,
  }
}

/** Nobody signed in: the sandbox itself. */
const demoPrincipal: Omit<Principal, 'workspaceId' | 'workspace'> = {
  userId: 'sandbox',
  memberId: 'sandbox',
  role: 'MANAGER',
  email: '',
  firstName: 'Sandbox',
  lastName: '',
  agentId: null,
}
