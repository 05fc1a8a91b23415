import { createContext } from 'react';
import type { ToDos } from './option-pages.ts';

/** What needs attention of the options. A page of an option cannot import the register that it is in. */
export const ToDosContext = createContext<readonly ToDos[]>([]);
