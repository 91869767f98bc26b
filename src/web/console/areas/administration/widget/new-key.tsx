import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useFormAction } from '../../../data/form-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Card } from '../../../ui/page.tsx'
import { ProblemNotice } from '../../../data/problem-notice.tsx'
import { createKey, type WidgetKey } from './keys.ts'
import { TagFields } from './tag-fields.tsx'
import { useWidgetTexts } from './texts.ts'
import '../rows.css'
import './widget.css'

const example = 'https://www.hospital.example'

/** Above the list: for which pages, then the tag for them. */
export function NewKey({ onCreated, onClose }: { readonly onCreated: () => void; readonly onClose: () => void }) {
  const texts = useWidgetTexts()
  const [text, setText] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [created, setCreated] = useState<WidgetKey | null>(null)
  const action = useFormAction(createKey)
  const origins = text.split(/[\s,]+/).filter((origin) => origin !== '')
  const create = async (): Promise<void> => {
    setChecked(true)
    if (origins.length === 0) return
    const answer = await action.run({ input: { origins } })
    if (!answer) return
    setCreated(answer.createWidgetKey)
    onCreated()
  }
  if (created) return <Created created={created} onClose={onClose} />
  return (
    <Card>
      <section className="admin-new-key" aria-label={texts.newTitle}>
        <div className="admin-heading">
          <h2>{texts.newTitle}</h2>
          <p>{texts.newLead}</p>
        </div>
        <ProblemNotice error={action.error} />
        <Form
          validationBehavior="aria"
          onSubmit={(event) => {
            event.preventDefault()
            void create()
          }}
        >
          <Field
            label={texts.addresses}
            hint={texts.addressesHint}
            rows={3}
            value={text}
            onChange={setText}
            placeholder={example}
            error={isChecked && origins.length === 0 ? texts.missing : action.faultOf('input.origins')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this form
            autoFocus
          />
          <div className="ui-actions">
            <Button look="primary" type="submit" isPending={action.isPending}>
              {texts.create}
            </Button>
            <Button look="quiet" onPress={onClose}>
              {texts.cancel}
            </Button>
          </div>
        </Form>
      </section>
    </Card>
  )
}

function Created({ created: { key, origins }, onClose }: { readonly created: WidgetKey; readonly onClose: () => void }) {
  const texts = useWidgetTexts()
  return (
    <Card>
      <section className="admin-new-key" aria-label={texts.readyTitle}>
        <div className="admin-heading" role="status">
          <h2>{texts.readyTitle}</h2>
          <p>{texts.readyText(origins.join(', '))}</p>
        </div>
        <TagFields value={key} />
        <div className="ui-actions">
          <Button look="primary" onPress={onClose}>
            {texts.done}
          </Button>
        </div>
      </section>
    </Card>
  )
}
