{#- Valid values of every variable of dbt_project.yml. An unknown variable or an invalid value is
    a compiler error: dbt raises it while it reads the project, so it exits with code 2 and no
    table changes. -#}
{% macro check_variables() %}
    {% set rules = {
        'seed': {'whole': [0, none]},
        'chains_per_annotation': {'whole': [1, none]},
        'lattice': {'one_of': ['chains', 'full']},
        'full_lattice_max_edits': {'whole': [1, max_lattice_edits() | int]},
        'corrupted_edits': {'number': [0, none]},
        'corpus_models': {'list_of': 'zero, or a number from 1 to 60'},
        'corpus_sentences': {'whole': [1, none]},
        'corpus_draws': {'whole': [1, none]},
        'edit_metric_draws': {'whole': [0, none]},
        'max_sentence_tokens': {'whole': [1, none]},
        'compared_sentences': {'whole': [0, none]},
        'judged_metrics': {'list_of': 'a name'},
        'metrics': {'list_of': 'a name'},
        'referenceless_weights': {'shares': ['grammaticality', 'fluency', 'meaning']},
        'gleu_rng': {'one_of': ['py2', 'py3', 'expected']},
        'adversarial_references': {'mapping_to': 'a list of names'},
        'bootstrap_samples': {'whole': [40, none]},
        'test_resamples': {'whole': [1, none]},
        'confidence_level': {'number': [0.001, 0.999]},
        'combined_judgments': {'mapping_to': 'a list of names'},
        'least_pair_coverage': {'number': [0, 1]},
        'crowd_redraws': {'whole': [1, none]},
        'crowds': {'mapping_to': 'a name'},
        'lt_file_tosses': {'whole': [1, none]},
        'trueskill_runs': {'whole': [1, none]},
        'replication': {'boolean': true},
        'replicated_metrics': {'list_of': 'a name'},
        'workers': {'whole': [1, none]},
        'scheduler': {'text': true}
    } %}
    {% set set_here = (invocation_args_dict.get('vars') or {}).keys() | list %}
    {% if execute %}
        {% set project = run_query("select content from read_text('dbt_project.yml')") %}
        {% do set_here.extend(fromyaml(project.columns[0].values()[0]).vars.keys()) %}
    {% endif %}
    {% for name in set_here if name not in rules %}
        {{ exceptions.raise_compiler_error(
            "found the variable " ~ name ~ "; expected one of " ~ rules.keys() | join(", ")
            ~ nearest_name(name, rules.keys() | list)
        ) }}
    {% endfor %}
    {% for name, rule in rules.items() %}
        {% set fault = variable_fault(var(name), rule) | trim %}
        {% if fault %}
            {{ exceptions.raise_compiler_error("variable " ~ name ~ ": " ~ fault) }}
        {% endif %}
    {% endfor %}
    {#- dbt ignores the variables of dbt_project.yml when it decides which models are enabled. -#}
    {% if var('replication') and not (invocation_args_dict.get('vars') or {}).get('replication') %}
        {{ exceptions.raise_compiler_error(
            "variable replication: found true in dbt_project.yml; expected --vars '{replication: true}', "
            ~ "because dbt_project.yml cannot enable models"
        ) }}
    {% endif %}
{% endmacro %}

{#- The fault of a variable, as `found ...; expected ...`; nothing if the value is valid. -#}
{% macro variable_fault(value, rule) %}
    {% if rule.one_of is defined %}
        {% if value is not string or value not in rule.one_of %}
            found {{ value }}; expected {{ rule.one_of | join(" or ") }}
            {{- nearest_name(value, rule.one_of) }}
        {% endif %}
    {% elif rule.whole is defined or rule.number is defined %}
        {% set least, most = rule.whole or rule.number %}
        {% set is_kind = (value is integer) if rule.whole is defined
            else (value is number and value is not boolean) %}
        {% if not is_kind or not value >= least or (most is not none and not value <= most) %}
            found {{ value }}; expected a {{ 'whole ' if rule.whole is defined }}number
            {{- " of at least " ~ least if most is none else " from " ~ least ~ " to " ~ most }}
        {% endif %}
    {% elif rule.list_of is defined %}
        {% if not is_list_of(value, rule.list_of) | trim %}
            found {{ value }}; expected a list, each entry {{ rule.list_of }}
        {% endif %}
    {% elif rule.mapping_to is defined %}
        {% set ns = namespace(holds=value is mapping) %}
        {% for of_name in (value.values() if ns.holds else []) %}
            {% set ns.holds = ns.holds and ((of_name is string) if rule.mapping_to == 'a name'
                else is_list_of(of_name, 'a name') | trim) %}
        {% endfor %}
        {% if not ns.holds %}
            found {{ value }}; expected a mapping from names, each to {{ rule.mapping_to }}
        {% endif %}
    {% elif rule.boolean is defined %}
        {{- "found " ~ value ~ "; expected true or false" if value is not boolean }}
    {% elif rule.shares is defined %}
        {{- shares_fault(value, rule.shares) }}
    {% elif value is not string %}
        found {{ value }}; expected text
    {% endif %}
{% endmacro %}

{#- Something if the value is a list with such entries, else nothing. -#}
{% macro is_list_of(value, kind) %}
    {% set ns = namespace(holds=value is sequence and value is not string and value is not mapping) %}
    {% for entry in (value if ns.holds else []) %}
        {% set ns.holds = ns.holds and ((entry is string) if kind == 'a name'
            else (entry is number and entry is not boolean and (entry == 0 or 1 <= entry <= 60))) %}
    {% endfor %}
    {{- 'yes' if ns.holds }}
{% endmacro %}

{#- The fault of named shares that have to add up to 1; nothing if they do. -#}
{% macro shares_fault(shares, names) %}
    {% set ns = namespace(found="", sum=0) %}
    {% if shares is not mapping or shares.keys() | sort != names | sort %}
        {% set ns.found = shares | string %}
    {% else %}
        {% for name in names %}
            {% set share = shares[name] %}
            {% if share is not number or share is boolean or not 0 <= share <= 1 %}
                {% set ns.found = ns.found or name ~ ": " ~ share %}
            {% else %}
                {% set ns.sum = ns.sum + share %}
            {% endif %}
        {% endfor %}
        {% if not ns.found and (ns.sum - 1) | abs > 1e-9 %}
            {% set ns.found = "a sum of " ~ ns.sum %}
        {% endif %}
    {% endif %}
    {% if ns.found %}
        found {{ ns.found }}; expected {{ names | join(", ") }}, each at least 0, together 1
    {% endif %}
{% endmacro %}

{#- `; did you mean ...?` if more than half of the pairs of letters match those of a name (Dice's
    coefficient), else nothing. -#}
{% macro nearest_name(found, names) %}
    {%- set ns = namespace(name="", share=0.5) -%}
    {%- set letters = found | string | lower -%}
    {%- for name in names if letters | length > 1 -%}
        {%- set pairs = namespace(shared=0) -%}
        {%- for at in range(1, letters | length) if letters[at - 1:at + 1] in name | lower -%}
            {%- set pairs.shared = pairs.shared + 1 -%}
        {%- endfor -%}
        {%- set share = 2 * pairs.shared / (letters | length + name | length - 2) -%}
        {%- if share > ns.share -%}
            {%- set ns.name = name -%}
            {%- set ns.share = share -%}
        {%- endif -%}
    {%- endfor -%}
    {{- "; did you mean " ~ ns.name ~ "?" if ns.name }}
{%- endmacro %}
