import { KeyRound, MoreHorizontal, Pencil, UserMinus } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { ServiceError } from '@call-center-sidecar/client'
import { useFormAction } from '../../../data/form-action.ts'
import { useAction } from '../../../data/use-action.ts'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { ProblemNotice } from '../../../data/problem-notice.tsx'
import { showToast } from '../../../ui/toast.ts'
import { Handout } from './handout.tsx'
import { MemberForm } from './member-form.tsx'
import { changeOf, type MemberValues, valuesOf } from './member-values.ts'
import { deactivateMember, nameOf, type TeamMember, updateMember } from './members.ts'
import { useTeamTexts } from './texts.ts'
import '../rows.css'
import './team.css'

type MemberProps = { readonly member: TeamMember; readonly onChanged: () => void }
type Open = 'EDIT' | 'PASSWORD' | 'REMOVE' | null

export function MemberActions({ member, onChanged }: MemberProps) {
  const texts = useTeamTexts()
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  const name = nameOf(member)
  const { memberId } = useMember()
  const entries = [
    { id: 'edit', label: texts.edit, icon: <Pencil />, onAction: () => setOpen('EDIT') },
    ...(member.hasTemporaryPassword
      ? [{ id: 'password', label: texts.showPassword, icon: <KeyRound />, onAction: () => setOpen('PASSWORD') }]
      : []),
    // Nobody removes themselves.
    ...(member.id === memberId ? [] : [{ id: 'remove', label: texts.remove, icon: <UserMinus />, onAction: () => setOpen('REMOVE') }]),
  ]
  return (
    <>
      <Menu
        label={texts.actionsFor(name)}
        look="admin-row-menu"
        trigger={
          <>
            <MoreHorizontal aria-hidden="true" />
            <span className="visually-hidden">{texts.actionsFor(name)}</span>
          </>
        }
        groups={[{ id: member.id, title: name, entries }]}
      />
      {open === 'EDIT' && <Edit member={member} onChanged={onChanged} onClose={close} />}
      {open === 'PASSWORD' && (
        <Dialog title={texts.passwordOf(name)} isOpen onClose={close} actions={<Button onPress={close}>{texts.done}</Button>}>
          <Handout member={member} />
        </Dialog>
      )}
      {open === 'REMOVE' && <Remove member={member} onChanged={onChanged} onClose={close} />}
    </>
  )
}

type DialogProps = MemberProps & { readonly onClose: () => void }

function Edit({ member, onChanged, onClose }: DialogProps) {
  const texts = useTeamTexts()
  const action = useFormAction(updateMember)
  const before = valuesOf(member)
  const save = async (values: MemberValues): Promise<void> => {
    const change = changeOf(before, values, { hasRole: member.role !== null })
    if (Object.keys(change).length === 0) return onClose()
    if (!(await action.run({ id: member.id, change }))) return
    showToast({ tone: 'good', title: texts.saved(nameOf(values)) })
    onChanged()
    onClose()
  }
  return (
    <Dialog title={texts.editTitle(nameOf(member))} isOpen onClose={onClose}>
      <ProblemNotice error={action.error} />
      <MemberForm
        initial={before}
        isNew={false}
        action={action}
        path="change"
        onSubmit={(values) => void save(values)}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function Remove({ member, onChanged, onClose }: DialogProps) {
  const texts = useTeamTexts()
  const explain = useCallback(({ code }: ServiceError) => (code === 'CONFLICT' ? texts.lastManager : null), [texts])
  const { run, isPending } = useAction(deactivateMember, explain)
  const remove = async (): Promise<void> => {
    const answer = await run({ id: member.id })
    if (answer) {
      showToast({ tone: 'good', title: texts.removed(nameOf(member)) })
      onChanged()
    }
    onClose()
  }
  return (
    <ConfirmDialog
      title={texts.removeTitle(nameOf(member))}
      isOpen
      onClose={onClose}
      action={texts.remove}
      isPending={isPending}
      onConfirm={() => void remove()}
    >
      <p>{texts.removeText}</p>
    </ConfirmDialog>
  )
}
