import { AppError } from '../../kernel/errors.ts'
import type { Documents } from './documents.ts'
import { formerHospitalName } from './former-fields.ts'

/**
 * The hospital's name stands in the theme alone. Widgets once had one of their own: it goes to the theme, where that has none, before
 * either section is used.
 */
export function withMovedHospitalName(documents: Documents): Documents {
  const move = async (workspaceId: string): Promise<void> => {
    const name = await nameInWidget(documents, workspaceId)
    if (name === null) return
    const facts = { action: 'MIGRATED', editor: null } as const
    await documents.change(
      { workspaceId, section: 'theme' },
      {
        ...facts,
        edit: ({ values }) => ({ ...values, brand: { ...values.brand, hospitalName: values.brand.hospitalName ?? name } }),
      },
    )
    await documents.change({ workspaceId, section: 'widget' }, { ...facts, edit: ({ values }) => values })
  }
  const before = async <T>({ workspaceId, section }: { workspaceId: string; section: string }, step: () => Promise<T>): Promise<T> => {
    if (section === 'widget' || section === 'theme') await move(workspaceId)
    return await step()
  }
  return {
    ...documents,
    load: (target) => before(target, () => documents.load(target)),
    change: (target, change) => before(target, () => documents.change(target, change)),
  }
}

/** A widget document that cannot be read is the widget's own trouble, not the theme's. */
async function nameInWidget(documents: Documents, workspaceId: string): Promise<string | null> {
  try {
    const { history } = await documents.load({ workspaceId, section: 'widget' })
    return formerHospitalName(history[0].values)
  } catch (error) {
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return null
    throw error
  }
}
