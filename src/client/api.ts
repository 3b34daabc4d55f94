// Made from docs/reference/openapi.json: npm run reference

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The agents of the fleet, oldest first. */
        get: operations["listAgents"];
        put?: never;
        /**
         * Creates an agent, which is started at once.
         * @description The manifest is JSON ({"manifest": …}), or YAML with the content type application/yaml.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One agent. */
        get: operations["getAgent"];
        /** Replaces the manifest of an agent; jobs that run keep the one that they began with. */
        put: operations["editAgent"];
        post?: never;
        /** Ends the jobs of an agent and deletes it with its jobs, home and workspace. */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the jobs of an agent and keeps it to be read; its name is free again. */
        post: operations["archiveAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A directory or a file of the workspace that an agent keeps from job to job. */
        get: operations["lookAtFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/memory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent remembers of its jobs, newest first; at most 200. */
        get: operations["listMemory"];
        put?: never;
        post?: never;
        /** Forgets all jobs; the jobs themselves stay. */
        delete: operations["forgetAll"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/memory/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forgets one job; the job itself stays. */
        delete: operations["forgetJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an agent may do, in plain words. */
        get: operations["getPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a terminal in the home and workspace of an agent. */
        post: operations["openTerminal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts an agent: it takes up its queue. */
        post: operations["startAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops an agent: it takes no more work, and jobs that run go on. */
        post: operations["stopAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What cells of this user wait for a human to allow, and what was answered for always. */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{approval}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Allows or denies what a cell waits for. */
        post: operations["answerApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/remembered/{answer}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes an answer that was given for always: later cells ask again, cells that run keep it. */
        delete: operations["forgetApproval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest lines of the audit log, oldest first. */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the chain of the audit log is whole. */
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The budgets for a day and a month (UTC) of the fleet and of its agents, and what is used of each. */
        get: operations["getBudgets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this machine can enforce, as of the last look. */
        get: operations["getCapabilities"];
        put?: never;
        /** Looks again what this machine can enforce: a real cell is started. */
        post: operations["lookAgain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contests that were started over the API, newest first; at most 200. */
        get: operations["listContests"];
        put?: never;
        /** Runs the contest of a directory, or goes on with it. It outlives the server. */
        post: operations["startContest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One contest, and how far it is. */
        get: operations["getContest"];
        put?: never;
        post?: never;
        /** Forgets a contest that has ended. Its directory stays as it is. */
        delete: operations["forgetContest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Applies what a participant changed to the project that the contest was made from, all of it or some. */
        post: operations["applyContestWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the cells of a contest, then the contest; what is sealed stays, and it can go on later. */
        post: operations["cancelContest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a participant changed in the project that the contest was made from: files, differences, protected paths, secrets found. */
        get: operations["reviewContestWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The report of a contest that has ended, as `paddock contest report --json` prints it. */
        get: operations["getContestReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/report.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The report of a contest that has ended, with its submissions, as one page that fetches nothing. */
        get: operations["getContestReportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/{contest}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts back what the last apply of this contest changed in the project. */
        post: operations["undoContestApply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/directories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The directories with a contest that may be started: those that `fleet.contests` of config.yaml lists, and what is just below. */
        get: operations["listContestDirectories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/contests/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What starting the contest of a directory would do now: who would run, in how many cells, for how much. Nothing is started. */
        get: operations["planContest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The logins and keys of agents on this machine: where they are from, how long they last, what is wrong. Never a secret. */
        get: operations["listCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/discord": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bot of the fleet at Discord, its channels, and what was posted; without its token. */
        get: operations["getDiscord"];
        /** Signs in at Discord with the token of a bot, in place of the one of before. No answer holds the token. */
        put: operations["connectDiscord"];
        post?: never;
        /** Signs out and forgets the token. Channels stay, and what waits is not posted. */
        delete: operations["disconnectDiscord"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/discord/channels/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Lets these users give an agent work in a channel, and no others. An agent has one channel. */
        put: operations["setDiscordChannel"];
        post?: never;
        /** Nobody gives work in this channel any more, and nothing is posted there. Jobs go on. */
        delete: operations["removeDiscordChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the events of the fleet as server-sent events. */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What every agent does now, oldest first; at most 1,000 agents. */
        get: operations["getFleet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guarantees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which guarantees were seen to hold on this machine, when they were last tried. */
        get: operations["getGuarantees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/guarantees/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tries to break every guarantee in real cells; it takes a minute. The result is at /api/v1/guarantees. */
        post: operations["verifyGuarantees"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All hooks, by name, without their secrets; there are at most 200. */
        get: operations["listHooks"];
        put?: never;
        /** Makes an address at which another program gives an agent jobs. Its secret is shown once. */
        post: operations["createHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a hook; its jobs stay. */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks/{hook}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives the agent of a hook a job. The body, any text of at most 64 KiB, reaches it as quoted data. The same delivery again is the same job. */
        post: operations["deliverToHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that waits for a human: questions of cells, logins, budgets, agents that cannot start. */
        get: operations["getInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers a question of an agent, or allows or denies a call of a tool. The first answer counts. */
        post: operations["answerQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Jobs, newest first; for a borrower those of the lease. */
        get: operations["listJobs"];
        put?: never;
        /** Gives a job to an agent, or to any free one with given labels. */
        post: operations["giveJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One job, with its whole prompt. */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Gives another prompt to a job or message that has not begun. To withdraw one, cancel it. */
        patch: operations["changeJob"];
        trace?: never;
    };
    "/api/v1/jobs/{job}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Applies what a job changed to the project, all of it or some. */
        post: operations["applyJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends a job. One that runs has ended once its cell is gone. */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a job changed in its copy of the project: files, differences, protected paths, secrets found. */
        get: operations["reviewJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/changes/whole": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a job changed in one file, with all lines of the file around it. */
        get: operations["reviewWholeFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a job that goes on in the conversation of one that has ended. */
        post: operations["continueJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes the copy of a job, and with it all that was done in it. */
        post: operations["discardJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the transcript of a job as server-sent events, to its end. */
        get: operations["followJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives a job that goes on in the conversation of another once that one, and the messages to it, have ended. */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/send-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the job that a message waits for, so that messages to it begin now, in their order. */
        post: operations["sendNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lease": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the borrower who asks may use, and what is left of it. */
        get: operations["getOwnLease"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The leases that go on, newest first, then those that ended; at most 200. */
        get: operations["listLeases"];
        put?: never;
        /** Lends an agent. Only this answer holds the token of the borrower. */
        post: operations["createLease"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leases/{lease}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One lease, and what is left of it. */
        get: operations["getLease"];
        put?: never;
        post?: never;
        /** Ends a lease: its token, what is open with it, its jobs and their cells. */
        delete: operations["revokeLease"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a code that starts one session of a browser. */
        post: operations["createLoginLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/manifests/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether an agent could be created from a manifest, and its policy in plain words. Nothing is created. */
        post: operations["checkManifest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All schedules, by name; there are at most 200. */
        get: operations["listSchedules"];
        put?: never;
        /** Gives an agent a job whenever a time of a cron pattern has come. */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One schedule, and its next five times. */
        get: operations["getSchedule"];
        /** Replaces a schedule. */
        put: operations["editSchedule"];
        post?: never;
        /** Deletes a schedule; its jobs stay. */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** No more jobs until it is resumed; times until then have none. */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Goes on with its next time. */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{schedule}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives its job now, whatever its times and its last job are. */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The server: its version, where it runs, and what only its configuration changes. */
        get: operations["getServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller as the server identifies it. */
        get: operations["getSession"];
        put?: never;
        /** Starts a session with the code of a login link, or with a token. */
        post: operations["startSession"];
        /** Ends this session and what it has open. */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The terminals that are open, oldest first; for a borrower those of the lease. */
        get: operations["listTerminals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One terminal. */
        get: operations["getTerminal"];
        put?: never;
        post?: never;
        /** Ends a terminal. It is gone once its cell is. */
        delete: operations["endTerminal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The directories with a suite among those that `fleet.contests` of config.yaml lists, and what is just below. */
        get: operations["listSuites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/report.html": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The report over what there is of a suite, as one page that fetches nothing. */
        get: operations["getSuiteReportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suites/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far each contest of a suite is. It has no scores. */
        get: operations["getSuiteStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a ticket for one WebSocket. */
        post: operations["createTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists tokens, without their secrets. */
        get: operations["listTokens"];
        put?: never;
        /** Creates a token. Only this answer holds its secret. */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revokes a token by name or id, and ends what it has open. */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What jobs used that ended in some days (UTC), also of agents and jobs that were deleted. */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the 4 agents, kinds or models with the highest cost used on each day (UTC), and all others together. */
        get: operations["getUsageDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names and hosts of the secrets in the vault; 423 while it is locked. */
        get: operations["listVault"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Stores a secret in the vault, which must be unlocked. */
        put: operations["setSecret"];
        post?: never;
        /** Removes a secret from the vault, which must be unlocked. */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Locks the vault at once. */
        post: operations["lockVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vault/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unlocks the vault for a time. */
        post: operations["unlockVault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All webhooks, by name, without their secrets; there are at most 50. */
        get: operations["listWebhooks"];
        put?: never;
        /** Sends events to a URL from now on, signed as deliveries to hooks are. The secret is shown once. */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook, and what came of its events. */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Deletes a webhook with its outcomes. */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends no more events until it is resumed; those until then are not sent. */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends events again, from now on. */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends an event webhook.test now, and says what came of it. If it is taken, what waits is tried again at once. */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells that the server runs. */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns metrics in the format of Prometheus. */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells whether the server can take work. */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agent: {
            archivedAt: string | null;
            createdAt: string;
            id: string;
            manifest: {
                /**
                 * @description claude, codex, gemini, opencode, grok, command, or acp; not for kind model.
                 * @default model
                 */
                agent: string;
                /** @description How long its questions, and calls of tools that are held, wait for an answer; 1h by default. Then they are refused. */
                answerWithin?: string;
                /** @description Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends it; its cell never holds it. */
                apiKey?: string;
                /** @description Further arguments for the agent's program. */
                args?: string[];
                /**
                 * Format: uri
                 * @description In place of the vendor's model endpoint.
                 */
                baseUrl?: string;
                /** @description What it may use. A job ends when its budget is used up; for the rest of the day or month its queue waits. */
                budgets?: {
                    /** @description For its jobs of a day (UTC), together. */
                    day?: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description For each job. */
                    job?: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description For its jobs of a month (UTC), together. */
                    month?: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    };
                };
                /** @description For the agent `command`: the program and its arguments. The prompt comes on standard input. */
                command?: string[];
                /** @description How its credential reaches it: placeholder (default), endpoint, snapshot (a read-only copy), volume or volume:NAME (the login of a volume of `paddock login`, one cell at a time), none. */
                credentials?: ("placeholder" | "endpoint" | "snapshot" | "volume" | "none") | string;
                /** @description Agents that it may give jobs to; they work under their own policies, and it gets their answers. */
                delegates?: string[];
                /** @description What the cell may reach. */
                egress?: {
                    /** @description Hosts that the cell may reach: HOST[:PORT], `*.` in front for subdomains; HOST:PORT=ADDRESS:PORT pins one. */
                    allow?: string[];
                    /** @description Hosts whose connections wait for your answer: HOST[:PORT], or `*` for every other name. */
                    ask?: string[];
                    /** @description With `public`: addresses and ranges that are rejected as well. */
                    block?: string[];
                    /** @description Hosts that the cell may reach and whose requests are judged: HOST[:PORT], pinned as in allow. */
                    inspect?: string[];
                    /**
                     * @description `allowlist` (default): the hosts named here and those the agent itself needs. `off`: no network. `public`: the internet without any internal address. `open`: everything but loopback.
                     * @enum {string}
                     */
                    policy?: "off" | "allowlist" | "public" | "open";
                    /** @description Named groups of hosts: github, npm, pypi, apt, or an agent. */
                    presets?: string[];
                    /** @description Rules for requests: ACTION METHODS HOST/PATH. */
                    rules?: string[];
                    /** @description Ready-made rules: git-push, publish, release, delete; `=ask` behind one asks instead of denying. */
                    ruleSets?: string[];
                };
                /** @description Variables, as NAME=VALUE. */
                env?: string[];
                /** @description Kind model: asked in this order while the endpoint before does not answer, is overloaded or limits its rate. */
                fallbacks?: {
                    /** @description Where the key of its endpoint is: vault:NAME or azure-kv://…. Paddock sends it; its cell never holds it. */
                    apiKey?: string;
                    /**
                     * Format: uri
                     * @description In place of the provider's endpoint.
                     */
                    baseUrl?: string;
                    /** @description True: its endpoint needs no key. */
                    keyless?: boolean;
                    model: string;
                    /** @enum {string} */
                    provider: "anthropic" | "openai" | "openai-compatible";
                }[];
                /** @description Without work for so long, its host process ends; 10m by default. Work wakes it. */
                idle?: string;
                /** @description Kind model: its instructions before each prompt. */
                instructions?: string;
                /** @description True: its endpoint needs no key. */
                keyless?: boolean;
                /**
                 * @description `cli` (default): the CLI of an agent, or a command. `model`: a model with tools, which work in its cell.
                 * @enum {string}
                 */
                kind?: "cli" | "model";
                /** @description Jobs can ask for any free agent with given labels. */
                labels?: string[];
                /** @description A limit that is written here is held, or the cell does not start. */
                limits?: {
                    /** @description Processors that the whole cell may keep busy, for example 1.5. */
                    cpus?: number;
                    /**
                     * size
                     * @description What the writable places of the cell may grow by.
                     */
                    disk?: string;
                    /**
                     * size
                     * @description Largest single file.
                     */
                    fileSize?: string;
                    /**
                     * size
                     * @description Memory of the whole cell.
                     */
                    memory?: string;
                    /** @description Processes and threads of the whole cell. */
                    pids?: number;
                    /**
                     * duration
                     * @description Longest time without any output.
                     */
                    silence?: string;
                    /**
                     * duration
                     * @description Wall time; the cell is ended after it.
                     */
                    timeout?: string;
                };
                /** @description Kind model: MCP servers by name. */
                mcp?: {
                    [key: string]: {
                        /** @description Program and arguments; it runs in the cell. */
                        command: string[];
                        /** @description Further variables. */
                        env?: {
                            [key: string]: string;
                        };
                    } | {
                        /** @description `$NAME` in a value is a variable of the cell, such as the placeholder of a secret. */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * Format: uri
                         * @description Streamable HTTP; it is reached from the cell, under its egress policy.
                         */
                        url: string;
                    };
                };
                /** @description What it remembers from job to job; without it, nothing. */
                memory?: {
                    /**
                     * name
                     * @description When it is created, it inherits what this agent remembers.
                     */
                    inherit?: string;
                    /** @description How many of its newest jobs are noted in /memory.md of its cells, with what came of them. */
                    last: number;
                };
                /** @description The model, by the agent's own name for it. */
                model?: string;
                /**
                 * name
                 * @description What the agent is called.
                 */
                name: string;
                /** @description For people. */
                notes?: string;
                /** @description Jobs at once; 1 by default. Each has a home and a workspace of its own. */
                parallel?: number;
                /**
                 * @description Kind model: who serves the model.
                 * @enum {string}
                 */
                provider?: "anthropic" | "openai" | "openai-compatible";
                /** @description What its homes and workspaces may take on the disk together; a job ends when they do. Without it, each job has its limit. */
                quota?: string;
                /** @description Repositories that git works with by your own token: HOST/OWNER/NAME, `=write` behind it for pushing too. */
                repos?: string[];
                /**
                 * @description A job whose host process was lost: `none` (default) leaves it interrupted, `continue` goes on, `again` starts it anew.
                 * @enum {string}
                 */
                restart?: "none" | "continue" | "again";
                /**
                 * @description The version of this format.
                 * @constant
                 */
                schemaVersion?: 1;
                /** @description Secrets that the cell holds placeholders for: NAME=vault:NAME or NAME=azure-kv://…, with @HOST behind it. */
                secrets?: string[];
                /** @description The tools it has, and no others. A CLI can have delegate and ask. Kind model: bash, file_read, file_write, file_edit, http, delegate, ask, and SERVER/TOOL or SERVER/* of an MCP server. `ask ` in front holds each call until somebody allows it. */
                tools?: string[];
                /** @description What the texts may be about that come in to it: regular expressions of JavaScript, without case, over jobs and messages. */
                topics?: {
                    /** @description One of these must match each text that comes in. */
                    allow?: string[];
                    /** @description None of these may match a text that comes in; it takes precedence over `allow`. */
                    deny?: string[];
                };
                /** @description What a job works in. `own` (default): a directory of the agent that is kept from job to job. */
                workspace?: "own" | {
                    /** @description A project of this machine; each job gets a copy. */
                    copy: string;
                } | {
                    /** @description A project of this machine; one job at a time works in it. */
                    project: string;
                };
            };
            name: string;
            /** @description Why it cannot work; null: it can. */
            problem: string | null;
            /** @description Jobs of its own that wait for it. */
            queued: number;
            /** @description What of its manifest this machine cannot enforce. */
            refusals: {
                code: string;
                hint?: string;
                message: string;
            }[];
            /** @description Jobs that are running or waiting. */
            running: number;
            /**
             * @description What it does now, read off its jobs.
             * @enum {string}
             */
            state: "working" | "idle" | "stopped" | "archived" | "failing";
            updatedAt: string;
            /** @description Grows with each edit; the ETag. */
            version: number;
            /** @enum {string} */
            wanted: "started" | "stopped";
        };
        Applied: {
            /** @description Whether git committed it; null: it was not asked to. */
            committed: boolean | null;
            deleted: string[];
            id: string;
            ignored: number;
            /** @description Whether the copy is still there. */
            kept: boolean;
            /** @description Changes that were not chosen. */
            left: number;
            leftOut: number;
            project: string;
            /** @description What the project had already. */
            same: string[];
            /** @constant */
            schemaVersion: 1;
            written: string[];
        };
        ApprovalAnswered: {
            allowed: boolean;
            question: {
                /** Format: date-time */
                askedAt: string;
                asker: {
                    pid: number;
                    started: string;
                };
                cell: string;
                cellName: string;
                /** Format: date-time */
                expiresAt: string;
                host: string;
                id: string;
                port: number;
                request: {
                    method: string;
                    path: string;
                    querySha256?: string;
                    queryShown?: string;
                } | null;
                /** @constant */
                schemaVersion: 1;
                source: string;
            };
            /** @constant */
            schemaVersion: 1;
            /** @enum {string} */
            scope: "once" | "cell" | "always";
        };
        Approvals: {
            open: {
                /** @description The agent of the fleet that its cell belongs to; null: none. */
                agent: string | null;
                askedAt: string;
                cell: string;
                cellName: string;
                expiresAt: string;
                host: string;
                id: string;
                job: string | null;
                port: number;
                /** @description Null: a whole connection is in question. */
                request: {
                    method: string;
                    path: string;
                    querySha256?: string;
                    queryShown?: string;
                } | null;
                /** @description Where the rule that asks comes from; `user`: the manifest, or the options of the run. */
                source: string;
            }[];
            /** @description What was answered for always. */
            remembered: {
                allowed: boolean;
                at: string;
                host: string;
                id: string;
                port: number;
                /** @description Null: a whole connection is in question. */
                request: {
                    method: string;
                    path: string;
                    querySha256?: string;
                    queryShown?: string;
                } | null;
            }[];
        };
        Contest: {
            directory: string;
            id: string;
            /** @description Why it ended without a report; null: it did not. */
            problem: string | null;
            requestedBy: string;
            startedAt: string;
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
        };
        ContestApplied: {
            committed: boolean | null;
            deleted: string[];
            left: number;
            participant: string;
            project: string;
            round: number;
            same: string[];
            written: string[];
        } & {
            [key: string]: unknown;
        };
        Discord: {
            bot: {
                createdAt: string;
                id: string;
                name: string;
            } | null;
            channels: {
                /** @description The name of the agent. */
                agent: string;
                agentId: string;
                channel: string;
                createdAt: string;
                posts: {
                    givenUp: number;
                    posted: number;
                    /** @description Why the newest attempt that failed did; null: none did. */
                    problem: string | null;
                    waiting: number;
                };
                /** @description The ids of those who may give it work. */
                users: string[];
            }[];
            /** @description Why it is not ready, and what to do. */
            problem: string | null;
            /** @description Messages for the bot that were ignored: of another channel, of another user, of a bot or webhook, no message of a user. */
            refused: {
                channel: number;
                program: number;
                system: number;
                user: number;
            };
            /**
             * @description broken: it is not tried again until a bot is connected.
             * @enum {string}
             */
            state: "off" | "connecting" | "ready" | "broken";
            /** @description Messages that were carried out since the server began. */
            taken: number;
        };
        DiscordChannel: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            channel: string;
            createdAt: string;
            /** @description The ids of those who may give it work. */
            users: string[];
        };
        Doing: {
            /** @description Its CLI, `command`, or `model`. */
            agent: string;
            /** @description What they may cost. */
            budgetUsd: number | null;
            id: string;
            /** @description It would take a job now; of several with the labels of a job, the first in this list does. */
            isFree: boolean;
            labels: string[];
            /** @description The job that it began last. */
            last: {
                endedAt: string | null;
                id: string;
                promptStart: string;
                /** @enum {string} */
                state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
            } | null;
            model: string | null;
            name: string;
            /** @description The newest thing that its running job said or did. */
            now: {
                at: string;
                text: string;
            } | null;
            /** @description Why it does not work; null: it could. */
            problem: string | null;
            queued: number;
            /** @description The states of the jobs that it began last, oldest first; at most 12. */
            recent: ("queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted")[];
            running: number;
            /** @description What its jobs of today (UTC) cost. */
            spentUsd: number;
            /**
             * @description waiting: something of it waits for a human · failing: it cannot start, or its last three jobs failed · limited: its vendor takes no more work, or a budget is used up · starting: it has a job, and its cell is not launched yet.
             * @enum {string}
             */
            state: "waiting" | "failing" | "limited" | "working" | "starting" | "idle" | "stopped";
        };
        Episode: {
            /** @description The first 2,000 characters. */
            answer: string;
            at: string;
            job: string;
            /** @description The agent that it was inherited from. Null: it is its own. */
            origin: string | null;
            /** @description The first 500 characters. */
            prompt: string;
            /** @enum {string} */
            state: "done" | "failed" | "cancelled";
        };
        Guarantees: {
            problem: string | null;
            /** @description Of the last time that it came to its end since the server started. */
            result: ({
                backend: string;
                egress: string;
                guarantees: ({
                    chapter: string;
                    claim: string;
                    durationMs: number;
                    /** @description What was tried, and what came of it. */
                    evidence: string;
                    /** @description How it can fail all the same. */
                    fails: string[];
                    id: string;
                    /**
                     * @description structural: what is attacked is not there · policy: a rule says no.
                     * @enum {string}
                     */
                    kind: "structural" | "policy";
                    mechanism: string;
                    /** @enum {string} */
                    status: "held" | "broken" | "unenforceable";
                    /** @description Why the mechanism is enough for the claim. */
                    why: string;
                } & {
                    [key: string]: unknown;
                })[];
                posture: string;
            } & {
                [key: string]: unknown;
            }) | null;
            startedAt: string | null;
            /** @enum {string} */
            state: "never" | "running" | "done" | "failed";
        };
        Hook: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            createdAt: string;
            id: string;
            lastJob: string | null;
            name: string;
            /** @description Where deliveries go, on this server. */
            path: string;
            /** @description Why the last delivery had no job; null: it had one. */
            problem: string | null;
            prompt: string;
        };
        Inbox: {
            items: {
                /** @description The name of the agent; null: a cell of another command. */
                agent: string | null;
                /** @description When a question was asked, as far as this server knows; null: it is not a question. */
                askedAt: string | null;
                /** @description When a question ends by itself. */
                expiresAt: string | null;
                hint: string | null;
                /** @description Of the question (ask, tool, egress), else of the agent. */
                id: string;
                job: string | null;
                /**
                 * @description ask: a question of an agent · tool: a call of a tool that is held · egress: a cell asks to reach something · login: an agent has no login · budget: one is used up · agent: it cannot start.
                 * @enum {string}
                 */
                kind: "ask" | "tool" | "egress" | "login" | "budget" | "agent";
                /** @description Only the subject: host and port, method and address, the question, the tool and its input. */
                subject: string | null;
                /** @description One sentence. What is asked may have been chosen within a cell. */
                text: string;
            }[];
        };
        Job: {
            /** @description The name of the agent; null: any free one with the labels takes it. */
            agent: string | null;
            agentId: string | null;
            attempt: number;
            cancelAsked: boolean;
            /** @description The job whose conversation it continues, or that it follows because that one was lost. */
            continues: string | null;
            conversation: string | null;
            createdAt: string;
            endedAt: string | null;
            id: string;
            /** @description A message to the job that it continues: it begins when that one has ended. */
            isMessage: boolean;
            labels: string[];
            /** @description The id of the lease that it belongs to. */
            lease: string | null;
            number: number;
            /** @description The job that delegated it. */
            parent: string | null;
            problem: string | null;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            requestedBy: string;
            result: {
                /** @default 0 */
                cellMs: number;
                changes: {
                    created: string[];
                    modified: string[];
                    runsLater: {
                        path: string;
                        why: string;
                    }[];
                    truncated: boolean;
                } | null;
                conversation: string | null;
                copy: string | null;
                costUsd: number | null;
                endedAt: string;
                notes: string[];
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    /** @enum {string} */
                    kind: "ran" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    /** @description Milliseconds since the epoch. */
                    resetsAt: number | null;
                };
                startedAt: string;
                /** @enum {string} */
                state: "done" | "failed" | "cancelled";
                text: string;
                toolCalls: number;
                /** @default 0 */
                turns: number;
                usage: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
        };
        Lease: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            /** @description What all of its jobs together may use; null: no limit of its own. */
            budget: {
                /** @description How long its cells run. */
                time?: string;
                /** @description Tokens that its models read and wrote together; what a cache held counts. */
                tokens?: number;
                /** @description Steps of the agent: its model answers, with words or calls of tools. */
                turns?: number;
                /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                usd?: number;
            } | null;
            createdAt: string;
            /** @description When its jobs were ended. */
            endedAt: string | null;
            expiresAt: string;
            /** @description Some texts are refused for what they are about. */
            hasTopics: boolean;
            id: string;
            /** @description What is left of its budget, of each unit that it has; time in milliseconds. Jobs that run count at their end. */
            left: {
                [key: string]: number;
            };
            name: string;
            revokedAt: string | null;
            /** @description What its jobs that have ended used; time in milliseconds. */
            readonly spent: {
                time: number;
                tokens: number;
                turns: number;
                usd: number;
            };
            /** @enum {string} */
            state: "open" | "expired" | "revoked";
            /**
             * @description Whether the borrower may open a terminal and type, past topics and budget.
             * @enum {string}
             */
            terminal: "read" | "type";
            /** @description The tools that are left to a model; null: all that it has. */
            tools: string[] | null;
            topics: {
                /** @description One of these must match each text that comes in. */
                allow?: string[];
                /** @description None of these may match a text that comes in; it takes precedence over `allow`. */
                deny?: string[];
            } | null;
        };
        Look: {
            readonly entries: {
                /** @enum {string} */
                kind: "file" | "directory" | "link" | "other";
                modifiedAt: string | null;
                name: string;
                size: number | null;
            }[];
            /** @constant */
            kind: "directory";
            truncated: boolean;
        } | {
            /** @constant */
            kind: "file";
            size: number;
            /** @description Null: it is no text. */
            text: string | null;
        };
        OwnLease: {
            /** @description The name of the agent. */
            agent: string;
            /** @description What all of its jobs together may use; null: no limit of its own. */
            budget: {
                /** @description How long its cells run. */
                time?: string;
                /** @description Tokens that its models read and wrote together; what a cache held counts. */
                tokens?: number;
                /** @description Steps of the agent: its model answers, with words or calls of tools. */
                turns?: number;
                /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                usd?: number;
            } | null;
            createdAt: string;
            expiresAt: string;
            /** @description Some texts are refused for what they are about. */
            hasTopics: boolean;
            id: string;
            /** @description What is left of its budget, of each unit that it has; time in milliseconds. Jobs that run count at their end. */
            left: {
                [key: string]: number;
            };
            name: string;
            /**
             * @description Whether the borrower may open a terminal and type, past topics and budget.
             * @enum {string}
             */
            terminal: "read" | "type";
            /** @description The tools that are left to a model; null: all that it has. */
            tools: string[] | null;
        };
        /** @description Sentences to be read behind “It may”, “It must ask” and “It may not”. */
        Policy: {
            readonly may: {
                text: string;
                /** @description How it is kept, or by which key of the manifest. */
                why: string;
            }[];
            readonly mayNot: {
                text: string;
                /** @description How it is kept, or by which key of the manifest. */
                why: string;
            }[];
            readonly mustAsk: {
                text: string;
                /** @description How it is kept, or by which key of the manifest. */
                why: string;
            }[];
        };
        Problem: {
            /** @description Stable; programs compare this. */
            code: string;
            /** @description One sentence for a person. */
            detail?: string;
            /** @description What to do about it. */
            hint?: string;
            /** @description What is wrong with the input, and where. */
            issues?: {
                message: string;
                place: string;
            }[];
            status: number;
            /** @description The name of the status. */
            title: string;
            /** @description A URN that ends in the code. */
            type: string;
        };
        Review: {
            changes: {
                /** @description Lines. */
                added: number | null;
                /** @description Whether the project no longer has what was copied. */
                baseMoved: boolean;
                content: ("text" | "binary" | "too-large" | "link" | "moved" | "unreadable" | "none") | null;
                /** @description Unified. Absent with --stat, and for files that are not text. */
                diff?: string;
                /** @enum {string} */
                kind: "added" | "modified" | "deleted" | "mode";
                /** @description The target of a symbolic link. */
                link: string | null;
                /** @description Octal; null: unchanged. */
                mode: {
                    from: string;
                    to: string;
                } | null;
                path: string;
                /** @description Lines. */
                removed: number | null;
                /** @description Why it would run on this machine later; null: it would not. */
                runsLater: string | null;
                /** @description What looks like a secret. */
                secrets: {
                    column: number | null;
                    endColumn?: number;
                    endLine?: number;
                    line: number | null;
                    masked: string;
                    path: string;
                    rule: string;
                    what: string;
                }[];
            }[];
            created: string;
            /** @description The commit of the project when it was copied. */
            head: string | null;
            id: string;
            /** @description New files that git ignores. */
            ignoredCount: number;
            /** @description Not compared. */
            leftOut: {
                path: string;
                why: string;
            }[];
            leftOutCount: number;
            notes: string[];
            /** @description Not searched for secrets. */
            notSearched: {
                path: string;
                why: string;
            }[];
            project: string;
            /** @constant */
            schemaVersion: 1;
            /** @description Not copied. */
            skipped: {
                path: string;
                why: string;
            }[];
            skippedCount: number;
            /** @description The directory of the copy. */
            tree: string;
        };
        Schedule: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            createdAt: string;
            cron: string;
            id: string;
            lastJob: string | null;
            /** @enum {string} */
            missed: "once" | "skip";
            name: string;
            /** @description The next five times; empty while it is paused. */
            next: string[];
            /** @enum {string} */
            overlap: "skip" | "queue";
            paused: boolean;
            /** @description Why the last time had no job; null: it had one. */
            problem: string | null;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            zone: string;
        };
        Server: {
            /** @description Where browsers find the page. */
            addresses: string[];
            /** @description What only config.yaml changes, and only for the next start of the server. */
            configuration: {
                /** @description Of all agents together. */
                budgets: {
                    day: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    } | null;
                    month: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    } | null;
                };
                /** @description Null: only operators and owners see it. */
                contests: string[] | null;
                /** @description The models that have a price; `*`: any other. */
                prices: string[];
                /** @description Null: only operators and owners see it. */
                projects: string[] | null;
                retention: {
                    /** @description Jobs that ended longer ago are deleted; null: none for its age. */
                    ageMs: number | null;
                    /** @description What transcripts and logs of ended jobs may take; null: as much as they like. */
                    bytes: number | null;
                    /** @description How many of the newest events are kept. */
                    events: number;
                };
            };
            /** @description Its name in the network. */
            machine: string;
            startedAt: string;
            version: string;
        };
        /** @description A terminal of an agent, in a cell of its own. */
        Terminal: {
            /** @description The name of its agent. */
            agent: string;
            columns: number;
            /** @description The program and its arguments; empty for a borrower. */
            command: string[];
            id: string;
            /** @description The name of the lease that it belongs to. */
            lease: string | null;
            rows: number;
            startedAt: string;
            /** @description Who types: the name of a credential; null: nobody. */
            typist: string | null;
            /** @description How many look at it. */
            viewers: number;
        };
        Token: {
            createdAt: string;
            expiresAt: string | null;
            id: string;
            lastUsedAt: string | null;
            /** @description The id of the lease that it was made for. */
            lease: string | null;
            name: string;
            revokedAt: string | null;
            /** @enum {string} */
            role: "owner" | "operator" | "viewer" | "borrower";
        };
        Webhook: {
            createdAt: string;
            events: string[];
            id: string;
            /** @description The newest outcome; null: nothing was sent so far. */
            last: {
                /** @description The time of the last attempt. */
                at: string;
                attempts: number;
                /** @description The id of the event; for those that were skipped, of the last one. */
                event: number;
                kind: string | null;
                /** @description When it is tried again. */
                nextAt: string | null;
                /** @description Why it was not taken; null: it was. */
                problem: string | null;
                /**
                 * @description waiting: it is tried again · given-up: it is not · skipped: the events were deleted before they were sent.
                 * @enum {string}
                 */
                state: "delivered" | "waiting" | "given-up" | "skipped";
                /** @description Of the last answer; null: there was none. */
                status: number | null;
            } | null;
            name: string;
            paused: boolean;
            /** @description The path is shown only to an owner: many receivers tell senders by it. */
            url: string;
        };
        WholeJob: {
            /** @description The name of the agent; null: any free one with the labels takes it. */
            agent: string | null;
            agentId: string | null;
            attempt: number;
            /** @description What was given with it. */
            budget: {
                /** @description How long its cells run. */
                time?: string;
                /** @description Tokens that its models read and wrote together; what a cache held counts. */
                tokens?: number;
                /** @description Steps of the agent: its model answers, with words or calls of tools. */
                turns?: number;
                /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                usd?: number;
            } | null;
            cancelAsked: boolean;
            /** @description The job whose conversation it continues, or that it follows because that one was lost. */
            continues: string | null;
            conversation: string | null;
            createdAt: string;
            endedAt: string | null;
            id: string;
            /** @description A message to the job that it continues: it begins when that one has ended. */
            isMessage: boolean;
            labels: string[];
            /** @description The id of the lease that it belongs to. */
            lease: string | null;
            number: number;
            /** @description The job that delegated it. */
            parent: string | null;
            problem: string | null;
            prompt: string;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            requestedBy: string;
            result: {
                /** @default 0 */
                cellMs: number;
                changes: {
                    created: string[];
                    modified: string[];
                    runsLater: {
                        path: string;
                        why: string;
                    }[];
                    truncated: boolean;
                } | null;
                conversation: string | null;
                copy: string | null;
                costUsd: number | null;
                endedAt: string;
                notes: string[];
                outcome: {
                    exitCode: number | null;
                    hint: string | null;
                    /** @enum {string} */
                    kind: "ran" | "rate-limited" | "login-needed" | "endpoint-failed" | "out-of-memory" | "out-of-time" | "silent" | "start-failed" | "out-of-disk" | "output-flood" | "out-of-budget" | "cancelled";
                    message: string | null;
                    /** @description Milliseconds since the epoch. */
                    resetsAt: number | null;
                };
                startedAt: string;
                /** @enum {string} */
                state: "done" | "failed" | "cancelled";
                text: string;
                toolCalls: number;
                /** @default 0 */
                turns: number;
                usage: {
                    cachedInput: number;
                    input: number;
                    model: string | null;
                    output: number;
                } | null;
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
        };
        WholeSchedule: {
            /** @description The name of the agent. */
            agent: string;
            agentId: string;
            createdAt: string;
            cron: string;
            id: string;
            lastJob: string | null;
            /** @enum {string} */
            missed: "once" | "skip";
            name: string;
            /** @description The next five times; empty while it is paused. */
            next: string[];
            /** @enum {string} */
            overlap: "skip" | "queue";
            paused: boolean;
            /** @description Why the last time had no job; null: it had one. */
            problem: string | null;
            prompt: string;
            /** @description The first 200 characters of the prompt. */
            promptStart: string;
            zone: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAgents: {
        parameters: {
            query?: {
                /** @description Those that were archived, too. */
                archived?: string;
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description At most so many items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the last event that the items take account of: follow the events after it. */
                        asOf: number;
                        items: components["schemas"]["Agent"][];
                        /** @description The cursor of the next page; null on the last one. */
                        next: string | null;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The manifest as JSON. */
                    manifest: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @description The manifest as a YAML text. */
                    yaml: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    editAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that was edited. */
                "if-match"?: string;
            };
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The manifest as JSON. */
                    manifest: {
                        [key: string]: unknown;
                    };
                } | {
                    /** @description The manifest as a YAML text. */
                    yaml: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    archiveAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    lookAtFiles: {
        parameters: {
            query?: {
                /** @description Names with / between them; none: the workspace itself. */
                path?: string;
                /** @description Of an agent with several jobs at once: which of its workspaces. */
                slot?: number;
            };
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Look"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Episode"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetAll: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What runs in it. Absent: the CLI or the command of the agent, or a shell for a model. */
                    command?: string[];
                    /** @description A lease of the agent, whose home and workspace it has; for owners. */
                    lease?: string;
                    /**
                     * @default {
                     *       "columns": 80,
                     *       "rows": 24
                     *     }
                     */
                    size?: {
                        columns: number;
                        rows: number;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Terminal"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approvals"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                approval: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    allowed: boolean;
                    /**
                     * @description How far the answer reaches. `always` holds for every later cell of this machine, and only an owner may give it.
                     * @default once
                     * @enum {string}
                     */
                    scope?: "once" | "cell" | "always";
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalAnswered"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                answer: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readAudit: {
        parameters: {
            query?: {
                /** @description Who caused it: the name of a token or session; `user`: the user of the machine. */
                actor?: string;
                /** @description Only lines with a higher number, for those who follow the log with `newest` of the answer before. Cheap enough for each second. */
                after?: number;
                /** @description The name of an agent: lines of its newest 200 cells. */
                agent?: string;
                /** @description Only lines with a lower number: the page before. */
                before?: number;
                /** @description The beginning of the id of a cell. */
                cell?: string;
                /** @description Only lines from this time on. */
                from?: string;
                /** @description A part of the name of the host. */
                host?: string;
                /** @description A kind (`egress.deny`) or its first word; several with commas. */
                kind?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            /** @description Who caused it; absent: the user of the machine. */
                            actor?: string;
                            cell?: string;
                            data: {
                                [key: string]: unknown;
                            };
                            kind: string;
                            origin: {
                                agent: string | null;
                                job: string | null;
                                name: string;
                            } | null;
                            seq: number;
                            time: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description The number of the newest line of the log as it was read; pass it as `after`. */
                        newest: number;
                        /** @description False: more was written behind `after` than is read at once, and older lines are missing. */
                        whole: boolean;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: number;
                        first: number | null;
                        head: {
                            hash: string;
                            seq: number;
                            time: string;
                        } | null;
                        lines: number;
                        notes: string[];
                        problem: ({
                            file: string | null;
                            kind: string;
                            line: number | null;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        }) | null;
                        whole: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBudgets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description The name of the agent; null: all agents together. */
                            agent: string | null;
                            limit: number;
                            /** @enum {string} */
                            period: "day" | "month";
                            since: string;
                            /**
                             * @description usd: US dollars · time: milliseconds with a running cell.
                             * @enum {string}
                             */
                            unit: "turns" | "tokens" | "usd" | "time";
                            until: string;
                            /** @description By jobs that have ended. */
                            used: number;
                        }[];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCapabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            hint: string;
                            installed: boolean;
                            name: string;
                            /**
                             * @description What it says of its work: its steps and tokens, or also what they cost.
                             * @enum {string}
                             */
                            reports: "nothing" | "tokens" | "cost";
                            tried: boolean;
                            /**
                             * @description Whether it can have the tools ask and delegate.
                             * @default false
                             */
                            usesMcp: boolean;
                            version: string | null;
                        }[];
                        checks: {
                            detail: string;
                            hint?: string;
                            name: string;
                            ok: boolean;
                        }[];
                        /** @description The egress policies, and why some cannot be enforced. */
                        egress: {
                            detail: string;
                            hint?: string;
                            modes: ("off" | "allowlist" | "public" | "open")[];
                            ok: boolean;
                        }[];
                        /** @description How each limit is held. */
                        limits: {
                            gap?: string;
                            limit: string;
                            mechanism: string;
                        }[];
                        /** @description True if cells can be started. */
                        ok: boolean;
                        /** @description Where cells are, from L0 to L5. */
                        posture: string;
                        /** @enum {number} */
                        schemaVersion: 1;
                        system: string;
                        version: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    lookAgain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: {
                            hint: string;
                            installed: boolean;
                            name: string;
                            /**
                             * @description What it says of its work: its steps and tokens, or also what they cost.
                             * @enum {string}
                             */
                            reports: "nothing" | "tokens" | "cost";
                            tried: boolean;
                            /**
                             * @description Whether it can have the tools ask and delegate.
                             * @default false
                             */
                            usesMcp: boolean;
                            version: string | null;
                        }[];
                        checks: {
                            detail: string;
                            hint?: string;
                            name: string;
                            ok: boolean;
                        }[];
                        /** @description The egress policies, and why some cannot be enforced. */
                        egress: {
                            detail: string;
                            hint?: string;
                            modes: ("off" | "allowlist" | "public" | "open")[];
                            ok: boolean;
                        }[];
                        /** @description How each limit is held. */
                        limits: {
                            gap?: string;
                            limit: string;
                            mechanism: string;
                        }[];
                        /** @description True if cells can be started. */
                        ok: boolean;
                        /** @description Where cells are, from L0 to L5. */
                        posture: string;
                        /** @enum {number} */
                        schemaVersion: 1;
                        system: string;
                        version: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description Of its round so far; null: no cost is known. */
                            costUsd: number | null;
                            directory: string;
                            id: string;
                            /** @description Why it ended without a report; null: it did not. */
                            problem: string | null;
                            requestedBy: string;
                            startedAt: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            /** @description The leader and the certainty of that. Null: it is not done, or no judge gave scores. */
                            verdict: string | null;
                        }[];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startContest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of this machine; `fleet.contests` of config.yaml lists which may be named. */
                    directory: string;
                    /** @description Cells at once. */
                    parallel?: number;
                    /**
                     * @description Also runs participants and judges again that could not run to their end.
                     * @default false
                     */
                    retry?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contest"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        directory: string;
                        /** @description Whether it was made from a project, to which work can be applied. */
                        hasProject: boolean;
                        id: string;
                        /** @description Why it ended without a report; null: it did not. */
                        problem: string | null;
                        requestedBy: string;
                        startedAt: string;
                        /** @enum {string} */
                        state: "running" | "done" | "failed" | "cancelled";
                        /** @description As `paddock contest status --json` prints it; null: not known. */
                        status: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetContest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    applyContestWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Also what looks like a secret.
                     * @default false
                     */
                    allowSecrets?: boolean;
                    /** @description Commits these paths with git. */
                    commit?: {
                        message?: string;
                    };
                    /** @description Whose newest work. */
                    participant: string;
                    /** @description Only these, relative to the project. */
                    paths?: string[];
                    /**
                     * @description Also what runs on this machine later.
                     * @default false
                     */
                    runLater?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContestApplied"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelContest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contest"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reviewContestWork: {
        parameters: {
            query: {
                /** @description Whose newest work. */
                participant: string;
                /** @description Without the differences. */
                stat?: string;
            };
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContestReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getContestReportPage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoContestApply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                        participant: string;
                        project: string;
                        written: string[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listContestDirectories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            directory: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    planContest: {
        parameters: {
            query: {
                /** @description As for starting it. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As `paddock contest run --dry-run --json` prints it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            account: string | null;
                            /** @description The CLI that it is for; `gh`: the forge. */
                            agent: string;
                            expiresAt: string | null;
                            hint: string | null;
                            /** @description How a cell gets it; null: it does not. */
                            inCell: string | null;
                            kind: ("subscription" | "key") | null;
                            problem: string | null;
                            provider: string | null;
                            source: ({
                                kind: string;
                                name?: string;
                                path?: string;
                            } & {
                                [key: string]: unknown;
                            }) | null;
                            /**
                             * @description renewable: its access token expires and is renewed · soon: it expires soon · ended: it expired.
                             * @enum {string}
                             */
                            state: "good" | "renewable" | "soon" | "ended" | "unusable";
                            warnings: string[];
                        } & {
                            [key: string]: unknown;
                        })[];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDiscord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discord"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    connectDiscord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Discord"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disconnectDiscord: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setDiscordChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    /** @description The ids of users. */
                    users: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiscordChannel"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeDiscordChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description The number of the last item that the reader has; 0 for all. */
                after?: string;
            };
            header?: {
                /** @description The same as `after`, as browsers send it when they reconnect. It takes precedence. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getFleet: {
        parameters: {
            query?: {
                /** @description Only these, by their ids with commas between them; those that are gone are left out. */
                agents?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asOf: number;
                        items: components["schemas"]["Doing"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGuarantees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guarantees"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyGuarantees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default allowlist
                     * @enum {string}
                     */
                    egress?: "off" | "allowlist" | "public" | "open";
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guarantees"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listHooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Hook"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createHook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent: string;
                    name: string;
                    /** @description What the agent is to do with what comes in. */
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The name of the agent. */
                        agent: string;
                        agentId: string;
                        createdAt: string;
                        id: string;
                        lastJob: string | null;
                        name: string;
                        /** @description Where deliveries go, on this server. */
                        path: string;
                        /** @description Why the last delivery had no job; null: it had one. */
                        problem: string | null;
                        prompt: string;
                        secret: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteHook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deliverToHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description HMAC-SHA-256 in hexadecimal, by the secret, over time, a dot and the body. */
                "x-paddock-signature"?: string;
                /** @description Seconds since the epoch, at most 300 away. */
                "x-paddock-time"?: string;
            };
            path: {
                hook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        job: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getInbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inbox"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Of a call: whether it is made. Of a question: false if there is no answer.
                     * @default true
                     */
                    allowed?: boolean;
                    /**
                     * @description The answer to a question, or why a call is denied.
                     * @default
                     */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        allowed: boolean;
                        id: string;
                        job: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Only those of this agent. */
                agent?: string;
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description Only those of this lease, by its name or id. */
                lease?: string;
                /** @description At most so many items. */
                limit?: number;
                /** @description Only those in this state. */
                state?: "queued" | "running" | "waiting" | "done" | "failed" | "cancelled" | "interrupted";
                /** @description Only those with this text in the first 200 characters of their prompt, whatever the case of ASCII letters. */
                text?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the last event that the items take account of: follow the events after it. */
                        asOf: number;
                        items: components["schemas"]["Job"][];
                        /** @description The cursor of the next page; null on the last one. */
                        next: string | null;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    giveJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key gets the job of the first. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of an agent; absent: any free one with the labels. */
                    agent?: string;
                    /** @description What this job may use, besides what its agent may. It ends when one of them is used up. */
                    budget?: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description A job of the same agent that has ended: its conversation goes on. */
                    continues?: string;
                    /**
                     * @description What an agent must have to take the job, if none is named.
                     * @default []
                     */
                    labels?: string[];
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeJob"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    applyJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Also what looks like a secret.
                     * @default false
                     */
                    allowSecrets?: boolean;
                    /** @description Commits these paths with git. */
                    commit?: {
                        message?: string;
                    };
                    /** @description Only these, relative to the project. */
                    paths?: string[];
                    /**
                     * @description Also what runs on this machine later.
                     * @default false
                     */
                    runLater?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reviewJob: {
        parameters: {
            query?: {
                /** @description Without the differences. */
                stat?: string;
            };
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reviewWholeFile: {
        parameters: {
            query: {
                /** @description As the list of changes has it. */
                path: string;
            };
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    continueJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key gets the job of the first. */
                "idempotency-key"?: string;
            };
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    discardJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        project: string | null;
                        /** @enum {number} */
                        schemaVersion: 1;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    followJob: {
        parameters: {
            query?: {
                /** @description The number of the last item that the reader has; 0 for all. */
                after?: string;
            };
            header?: {
                /** @description The same as `after`, as browsers send it when they reconnect. It takes precedence. */
                "last-event-id"?: string;
            };
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key gets the job of the first. */
                "idempotency-key"?: string;
            };
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendNow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOwnLease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnLease"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLeases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Lease"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLease: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of the agent that is lent. */
                    agent: string;
                    /** @description What all of its jobs together may use. */
                    budget?: {
                        /** @description How long its cells run. */
                        time?: string;
                        /** @description Tokens that its models read and wrote together; what a cache held counts. */
                        tokens?: number;
                        /** @description Steps of the agent: its model answers, with words or calls of tools. */
                        turns?: number;
                        /** @description US dollars: what the agent reports, else what the tokens cost by `fleet.prices`. */
                        usd?: number;
                    };
                    /** @description When it ends: a duration from now, such as 7d, or a time such as 2027-01-31T12:00:00Z. */
                    expires: string;
                    /** @description What the lease is called. */
                    name: string;
                    /**
                     * @description `read` (default): the borrower sees terminals that the owner opens in the lease. `type`: opens one and types, past topics and budget.
                     * @enum {string}
                     */
                    terminal?: "read" | "type";
                    /** @description The tools of its manifest that are left to it; without it, all. */
                    tools?: string[];
                    /** @description What the texts of the borrower may be about, as in a manifest; patterns are shown to owners only. */
                    topics?: {
                        /** @description One of these must match each text that comes in. */
                        allow?: string[];
                        /** @description None of these may match a text that comes in; it takes precedence over `allow`. */
                        deny?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        lease: components["schemas"]["Lease"];
                        /** @description The secret of the borrower. */
                        token: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                lease: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeLease: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name or id. */
                lease: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lease"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLoginLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default owner
                     * @enum {string}
                     */
                    role?: "owner" | "operator" | "viewer" | "borrower";
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Goes in the fragment of the URL of the page. */
                        code: string;
                        expiresInSeconds: number;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer" | "borrower";
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkManifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    yaml: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        policy: components["schemas"]["Policy"] | null;
                        problem: {
                            code: string;
                            hint: string | null;
                            message: string;
                        } | null;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Schedule"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of the agent that gets the jobs. */
                    agent: string;
                    /** @description Five fields: minute, hour, day of the month, month, weekday; as in crontab(5). */
                    cron: string;
                    /**
                     * @description Times that passed while no server ran: one job for all of them, or none.
                     * @default once
                     * @enum {string}
                     */
                    missed?: "once" | "skip";
                    name: string;
                    /**
                     * @description A time at which the job of an earlier one has not ended: no job, or one that waits.
                     * @default skip
                     * @enum {string}
                     */
                    overlap?: "skip" | "queue";
                    prompt: string;
                    /**
                     * @description A time zone of the IANA database.
                     * @default UTC
                     */
                    zone?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeSchedule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    editSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name or id of the agent that gets the jobs. */
                    agent: string;
                    /** @description Five fields: minute, hour, day of the month, month, weekday; as in crontab(5). */
                    cron: string;
                    /**
                     * @description Times that passed while no server ran: one job for all of them, or none.
                     * @default once
                     * @enum {string}
                     */
                    missed?: "once" | "skip";
                    name: string;
                    /**
                     * @description A time at which the job of an earlier one has not ended: no job, or one that waits.
                     * @default skip
                     * @enum {string}
                     */
                    overlap?: "skip" | "queue";
                    prompt: string;
                    /**
                     * @description A time zone of the IANA database.
                     * @default UTC
                     */
                    zone?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A second request with the same key gets the job of the first. */
                "idempotency-key"?: string;
            };
            path: {
                schedule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Server"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "socket" | "token" | "session";
                        name: string;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer" | "borrower";
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                } | {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expiresAt: string;
                        /** @description The half of the session that goes in the header x-paddock-session; the other is a cookie. */
                        half: string;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer" | "borrower";
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTerminals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Terminal"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Terminal"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Terminal"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSuites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            directory: string;
                        }[];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSuiteReportPage: {
        parameters: {
            query: {
                /** @description Of this machine; `fleet.contests` of config.yaml lists which may be named. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSuiteStatus: {
        parameters: {
            query: {
                /** @description Of this machine; `fleet.contests` of config.yaml lists which may be named. */
                directory: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As `paddock suite status --json` prints it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expiresInSeconds: number;
                        /** @description The subprotocols to open the WebSocket with; one of them is the ticket. */
                        protocols: string[];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description At most so many items. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the last event that the items take account of: follow the events after it. */
                        asOf: number;
                        items: components["schemas"]["Token"][];
                        /** @description The cursor of the next page; null on the last one. */
                        next: string | null;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description When it expires; null: never.
                     * @default null
                     */
                    expiresAt?: string | null;
                    name: string;
                    /** @enum {string} */
                    role: "owner" | "operator" | "viewer" | "borrower";
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        facts: components["schemas"]["Token"];
                        /** @description The secret. */
                        token: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                by?: "agent" | "kind" | "model" | "day";
                /** @description The first day; 30 days before the last by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: string;
                        items: {
                            cachedInput: number;
                            /** @description What agents reported. */
                            costUsd: number;
                            /** @description Tokens, those out of a cache included. */
                            input: number;
                            /** @description Jobs that have ended. */
                            jobs: number;
                            /** @description Of the agent, the kind or the model (empty: not reported), or the day. */
                            name: string;
                            output: number;
                            toolCalls: number;
                            /** @description Of these, those whose agent did not report what it cost. */
                            unpriced: number;
                            wallMs: number;
                        }[];
                        to: string;
                        total: {
                            cachedInput: number;
                            /** @description What agents reported. */
                            costUsd: number;
                            /** @description Tokens, those out of a cache included. */
                            input: number;
                            /** @description Jobs that have ended. */
                            jobs: number;
                            output: number;
                            toolCalls: number;
                            /** @description Of these, those whose agent did not report what it cost. */
                            unpriced: number;
                            wallMs: number;
                        };
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsageDays: {
        parameters: {
            query?: {
                by?: "agent" | "kind" | "model";
                /** @description The first day; 30 days before the last by default. */
                from?: string;
                /** @description The last day; today by default. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        from: string;
                        items: {
                            costUsd: number;
                            day: string;
                            jobs: number;
                            /** @description Of the agent, the kind or the model (empty: not reported); null: all others. */
                            name: string | null;
                            tokens: number;
                        }[];
                        to: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: ({
                            bytes?: number;
                            createdAt: string;
                            hosts: string[];
                            name: string;
                            /** @description Where in a request it belongs; absent: where the agent puts it. */
                            place?: {
                                /** @enum {string} */
                                in: "header" | "query" | "basic";
                                name?: string;
                                scheme?: string;
                                user?: string;
                            };
                            updatedAt: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        /** @description When it is locked again; null: the keyring opens it. */
                        until: string | null;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where it may be sent to; one that is stored keeps its own. */
                    hosts?: string[];
                    /** @description Where in a request it belongs, for example `header:x-api-key`; without it, where the agent puts it. */
                    place?: string;
                    value: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bytes?: number;
                        createdAt: string;
                        hosts: string[];
                        name: string;
                        /** @description Where in a request it belongs; absent: where the agent puts it. */
                        place?: {
                            /** @enum {string} */
                            in: "header" | "query" | "basic";
                            name?: string;
                            scheme?: string;
                            user?: string;
                        };
                        updatedAt: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    lockVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        locked: boolean;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlockVault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long; at most 24h.
                     * @default 8h
                     */
                    for?: string;
                    passphrase: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        until: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Webhook"][];
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kinds of events that are sent.
                     * @default [
                     *       "job.ended",
                     *       "job.waiting",
                     *       "job.budget"
                     *     ]
                     */
                    events?: ("agent.created" | "agent.edited" | "agent.started" | "agent.stopped" | "agent.archived" | "agent.deleted" | "job.queued" | "job.changed" | "job.started" | "job.running" | "job.waiting" | "job.budget" | "job.cancelling" | "job.ended" | "job.removed" | "schedule.created" | "schedule.edited" | "schedule.paused" | "schedule.resumed" | "schedule.due" | "schedule.skipped" | "schedule.deleted" | "hook.created" | "hook.deleted" | "webhook.created" | "webhook.paused" | "webhook.resumed" | "webhook.deleted" | "discord.connected" | "discord.disconnected" | "discord.added" | "discord.removed" | "lease.created" | "lease.revoked" | "lease.ended" | "topic.refused" | "session.opened" | "session.ended" | "token.created" | "token.revoked")[];
                    name: string;
                    /**
                     * @description What deliveries are signed with, for example the secret of a hook; null: a new one.
                     * @default null
                     */
                    secret?: string | null;
                    /** @description https or http, at a public address. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: string;
                        events: string[];
                        id: string;
                        /** @description The newest outcome; null: nothing was sent so far. */
                        last: {
                            /** @description The time of the last attempt. */
                            at: string;
                            attempts: number;
                            /** @description The id of the event; for those that were skipped, of the last one. */
                            event: number;
                            kind: string | null;
                            /** @description When it is tried again. */
                            nextAt: string | null;
                            /** @description Why it was not taken; null: it was. */
                            problem: string | null;
                            /**
                             * @description waiting: it is tried again · given-up: it is not · skipped: the events were deleted before they were sent.
                             * @enum {string}
                             */
                            state: "delivered" | "waiting" | "given-up" | "skipped";
                            /** @description Of the last answer; null: there was none. */
                            status: number | null;
                        } | null;
                        name: string;
                        paused: boolean;
                        secret: string;
                        /** @description The path is shown only to an owner: many receivers tell senders by it. */
                        url: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdAt: string;
                        events: string[];
                        id: string;
                        /** @description The newest outcome; null: nothing was sent so far. */
                        last: {
                            /** @description The time of the last attempt. */
                            at: string;
                            attempts: number;
                            /** @description The id of the event; for those that were skipped, of the last one. */
                            event: number;
                            kind: string | null;
                            /** @description When it is tried again. */
                            nextAt: string | null;
                            /** @description Why it was not taken; null: it was. */
                            problem: string | null;
                            /**
                             * @description waiting: it is tried again · given-up: it is not · skipped: the events were deleted before they were sent.
                             * @enum {string}
                             */
                            state: "delivered" | "waiting" | "given-up" | "skipped";
                            /** @description Of the last answer; null: there was none. */
                            status: number | null;
                        } | null;
                        name: string;
                        /** @description The newest 50, the newest first. */
                        outcomes: {
                            /** @description The time of the last attempt. */
                            at: string;
                            attempts: number;
                            /** @description The id of the event; for those that were skipped, of the last one. */
                            event: number;
                            kind: string | null;
                            /** @description When it is tried again. */
                            nextAt: string | null;
                            /** @description Why it was not taken; null: it was. */
                            problem: string | null;
                            /**
                             * @description waiting: it is tried again · given-up: it is not · skipped: the events were deleted before they were sent.
                             * @enum {string}
                             */
                            state: "delivered" | "waiting" | "given-up" | "skipped";
                            /** @description Of the last answer; null: there was none. */
                            status: number | null;
                        }[];
                        paused: boolean;
                        /** @description The path is shown only to an owner: many receivers tell senders by it. */
                        url: string;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Why it was not taken; null: it was. */
                        problem: string | null;
                        /** @description Of the last answer; null: there was none. */
                        status: number | null;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        ok: true;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        ok: true;
                    };
                };
            };
            /** @description What went wrong. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
