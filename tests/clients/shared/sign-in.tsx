import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react'
import type { ServiceError } from './failure.ts'
import { fieldsOf, Problem } from './parts.tsx'
import { isSignedIn, onSession, signIn } from './session.ts'

/** The sign-in form; the page once the member is signed in. */
export function SignedIn({ children }: { readonly children: ReactNode }): ReactNode {
  return useSyncExternalStore(onSession, isSignedIn) ? children : <SignInForm />
}

function SignInForm(): ReactNode {
  const [problem, setProblem] = useState<ServiceError | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { email = '', password = '' } = fieldsOf(event.currentTarget)
    signIn(email, password).catch(setProblem)
  }
  return (
    <main>
      <form className="sign-in" onSubmit={submit}>
        <h1>Agent desk</h1>
        <label>
          E-mail <input name="email" type="email" autoComplete="username" required />
        </label>
        <label>
          Password <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button>Sign in</button>
        <Problem error={problem} />
      </form>
    </main>
  )
}
