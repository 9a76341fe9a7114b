import type { ScriptedBackend, ScriptedClient } from './router-harness.js';

/** A request of a session, known everywhere by its mark: `<session>:<number>`. */
interface Asked {
  readonly mark: string;
  readonly id: number;
  readonly method: string;
  state: 'open' | 'answered' | 'cancelled';
}

/** A client, what it has asked, and what it was asked. */
export interface Member {
  readonly name: string;
  readonly client: ScriptedClient;
  readonly asked: Asked[];
  /** Questions by the ids under which they came. */
  readonly questions: Map<number, Question>;
  readonly subscribed: Set<string>;
  level: string | undefined;
  gone: boolean;
  /** How many messages were looked at already. */
  read: number;
  /** Errors without an id that are due to it. */
  complaints: number;
}

/** A request that a process works on. */
export interface Work {
  readonly id: number;
  readonly mark: string;
  readonly method: string;
  readonly task: boolean;
  done: boolean;
}

/** A question of a process. */
interface Question {
  readonly text: string;
  readonly id: number;
  readonly backend: ScriptedBackend;
  /** Those who may be asked it. */
  readonly may: ReadonlySet<Member>;
  open: boolean;
}

/** A backend, and what its process has been told. */
export interface Server {
  readonly backend: ScriptedBackend;
  readonly work: Work[];
  readonly questions: Question[];
  read: number;
  alive: boolean;
}
