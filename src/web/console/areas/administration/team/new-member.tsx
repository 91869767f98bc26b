import { useState } from 'react'
import { useFormAction } from '../../../data/form-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/page.tsx'
import { ProblemNotice } from '../../../data/problem-notice.tsx'
import { Handout } from './handout.tsx'
import { MemberForm } from './member-form.tsx'
import { inputOf, type MemberValues, newMember } from './member-values.ts'
import { createMember, nameOf, type TeamMember } from './members.ts'
import { useTeamTexts } from './texts.ts'
import '../rows.css'
import './team.css'

/** Above the list: the form, then what to pass on to the person. */
export function NewMember({ onCreated, onClose }: { readonly onCreated: () => void; readonly onClose: () => void }) {
  const texts = useTeamTexts()
  const [created, setCreated] = useState<TeamMember | null>(null)
  const [form, setForm] = useState(0)
  const action = useFormAction(createMember)
  const create = async (values: MemberValues): Promise<void> => {
    const answer = await action.run({ input: inputOf(values) })
    if (!answer) return
    setCreated(answer.createTeamMember.member)
    onCreated()
  }
  const again = (): void => {
    setCreated(null)
    setForm(form + 1)
  }
  if (created) return <Created member={created} onAgain={again} onClose={onClose} />
  return (
    <Card>
      <section className="admin-new-member" aria-label={texts.addTitle}>
        <div className="admin-heading">
          <h2>{texts.addTitle}</h2>
          <p>{texts.addLead}</p>
        </div>
        <ProblemNotice error={action.error} explain={({ reason }) => (reason === 'WRONG_STATE' ? texts.conflict : null)} />
        <MemberForm
          key={form}
          initial={newMember}
          isNew
          action={action}
          path="input"
          onSubmit={(values) => void create(values)}
          onCancel={onClose}
        />
      </section>
    </Card>
  )
}

type CreatedProps = { readonly member: TeamMember; readonly onAgain: () => void; readonly onClose: () => void }

function Created({ member, onAgain, onClose }: CreatedProps) {
  const texts = useTeamTexts()
  return (
    <Card>
      <section className="admin-handout" aria-label={texts.readyTitle(nameOf(member))}>
        <div className="admin-heading" role="status">
          <h2>{texts.readyTitle(nameOf(member))}</h2>
          <p>{texts.readyText}</p>
        </div>
        <Handout member={member} />
        <div className="ui-actions">
          <Button look="primary" onPress={onClose}>
            {texts.done}
          </Button>
          <Button look="quiet" onPress={onAgain}>
            {texts.addAnother}
          </Button>
        </div>
      </section>
    </Card>
  )
}
