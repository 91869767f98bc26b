import { AppError } from '../../kernel/errors.ts'
import type { RolesOfTeam } from './team-roles.ts'

/** Throws WRONG_STATE where the workspace would have no manager without this member. */
export function requireOtherManager({ managers }: RolesOfTeam, memberId: string): void {
  if (!managers.includes(memberId) || managers.some((manager) => manager !== memberId)) return
  throw new AppError('WRONG_STATE', { detail: 'This is the last manager of the workspace; make another one first' })
}
